"""Folders of images: how they lie there, and who drew what."""
