"""Where a text stands and what is said of it: files, spans, diagnostics. It knows no language."""
