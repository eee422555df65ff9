"""Looking at numbers again and again while they grow, and what that costs."""
