"""The way to every service and back: one deadline, so many bytes, and only to addresses that may be asked."""
