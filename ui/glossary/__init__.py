"""Content of the page Glossary: its entries, from `terms.toml` and from the docstrings of the measures."""
