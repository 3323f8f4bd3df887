"""Values that describe the content of a page, independent of Streamlit."""
