"""The published protocols, one file each."""
