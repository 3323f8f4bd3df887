"""What the page Glossary is made of: its words, from `terms.toml` and from the measures themselves."""
