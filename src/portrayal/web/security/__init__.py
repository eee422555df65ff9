"""What keeps a site safe: tokens, headers, passwords, sessions, limits."""
