"""The rows of an atlas: models, and scores of their evaluations."""
