"""The frame around every page: collection, report, presentation, live sliders."""
