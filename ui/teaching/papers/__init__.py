"""Parts of the page The papers."""
