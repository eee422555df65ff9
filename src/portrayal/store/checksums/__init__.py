"""Checksums of files whose names must stay."""
