"""Places in texts and messages about them: files, spans, diagnostics and their codes. Nothing here knows the language."""
