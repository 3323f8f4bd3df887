"""A screen in Streamlit, and its other uses: paths along sliders, the report."""
