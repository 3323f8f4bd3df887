"""Screens in Streamlit, slider paths, and the report."""
