"""Shares of groups in images: of one cell, of people in pictures, of prompts like these, and with what is missing."""
