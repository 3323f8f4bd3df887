"""TODO ui/glossary."""
