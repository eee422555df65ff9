"""Labels that people gave, and sheets for them to fill in."""
