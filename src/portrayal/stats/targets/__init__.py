"""Shares beside their targets: how far they lie from them, and what could have been found."""
