"""The arena joined to the disk: its settings, its pictures, and its votes in SQLite or PostgreSQL."""
