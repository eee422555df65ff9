"""Personal links: a token that nobody guesses, of which only a hash is kept."""

from __future__ import annotations

import hashlib
import secrets

__all__ = ["new_token", "token_hash"]


def new_token() -> str:
    """Return a new token of 192 bits."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """Return what is kept of a token. Tokens are looked up by it, so time tells nothing about them."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
