"""Parts of the page The papers: its settings, its texts, and its comparison of printed and computed values."""
