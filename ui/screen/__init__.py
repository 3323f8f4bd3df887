"""Values that describe what a page shows; independent of Streamlit."""
