"""The app: the frame around every page, the widgets that pages share, and a folder for each page that needs one."""
