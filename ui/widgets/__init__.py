"""What pages are made of: settings and their controls, figures, tables, choices that several pages share."""
