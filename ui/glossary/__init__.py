"""Content of the page Glossary: its words, from `terms.toml` and from the measures themselves."""
