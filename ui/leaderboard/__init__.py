"""The pages Table and Rules, which show leaderboards, and a figure of the best systems for Home."""
