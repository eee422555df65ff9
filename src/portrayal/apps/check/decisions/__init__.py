"""What may be said of each scenario: mathematics alone, neither disk nor network."""
