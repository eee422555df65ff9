"""Kinds of evidence about two things that belong together: images, edits, annotators, planted people."""
