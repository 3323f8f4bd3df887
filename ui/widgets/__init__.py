"""Building blocks of pages: settings and their controls, figures, tables, and choices shared by several pages."""
