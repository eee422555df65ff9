"""What commands share, those of a study and those of applications: options, lists, signals."""
