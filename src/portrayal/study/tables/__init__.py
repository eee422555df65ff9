"""A study's tables, joined: jobs with what came of them, images with what was seen, files for other programs."""
