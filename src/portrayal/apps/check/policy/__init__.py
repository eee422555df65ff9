"""A policy: a register of bias scenarios, read strictly, each with the line it stands in."""
