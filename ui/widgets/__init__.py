"""Building blocks of pages: settings and their controls, figures, tables, choices that several pages share."""
