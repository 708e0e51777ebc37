"""The pack of a battle as files: a page to read, a map, a form as a page and as TOML, and the forces as a table."""
