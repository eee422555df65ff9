"""May it ship: a policy made from plain questions, and what it says of a study."""
