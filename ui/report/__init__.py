"""Reports as people read them: Markdown, one HTML page, tables for a spreadsheet. The model is `campaigns/report`."""
