"""Language: translations, numbers and names as a reader wants them, notes in words."""
