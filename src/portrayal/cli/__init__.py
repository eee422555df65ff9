"""The doors: commands."""
