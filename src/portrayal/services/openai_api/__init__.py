"""Services that speak OpenAI's API, OpenAI's own or another."""

from portrayal.services.openai_api.client import OPENAI_URL, connect, is_openai, key_of, request, sdk_version
from portrayal.services.openai_api.fetch_image import fetch

__all__ = ["OPENAI_URL", "connect", "fetch", "is_openai", "key_of", "request", "sdk_version"]
