"""BAFIS in a report: occupations asked for in several languages, beside official statistics."""
