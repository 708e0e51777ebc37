"""Where a text stands and what is said of it: files, spans, diagnostics and their codes. It knows no language."""
