"""Try Before You Bias."""
