"""The page Data: the table of the files' meaning, the report of the loader, and the description of the files."""
