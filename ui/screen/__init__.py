"""What a page shows, as values; free of Streamlit."""
