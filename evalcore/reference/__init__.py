"""Numbers that papers print, each with its place: what pages show beside their own and tests compare with."""
