"""The frame of every page: what is open, the sidebar, navigation, pins, saved views, report, long work."""
