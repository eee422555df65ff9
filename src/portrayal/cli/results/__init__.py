"""Commands that take results out of a study."""
