"""The page of an atlas."""
