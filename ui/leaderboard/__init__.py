"""The pages Table and Rules of leaderboards, and their figure on Home."""
