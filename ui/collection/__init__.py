"""The page Data: the opening table, the report of loading, and the description of the files."""
