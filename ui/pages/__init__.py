"""HTML pages made from templates, and the handbook."""
