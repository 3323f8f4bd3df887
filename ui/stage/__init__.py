"""A screen in Streamlit, and who else reads it: paths along sliders, the report."""
