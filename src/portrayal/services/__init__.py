"""How to ask a service over HTTP: politely, within a budget, with its secrets kept."""
