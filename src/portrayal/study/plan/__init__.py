"""Plan: which images the study consists of, and what they will cost."""
