"""Sites on which people with personal links judge: who they are, consent, questions about them, and the team's desk."""
