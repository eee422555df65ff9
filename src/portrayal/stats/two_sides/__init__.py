"""Two sides compared: independent images, and images that belong together in pairs."""
