"""People who judge: the sites of other applications, started for a study and closed again from its page."""
