"""The page Data: the table of the files' meaning, the loading report, and the description of the files."""
