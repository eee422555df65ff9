"""What the protocols of an atlas are called in headings; the digests in them stand below."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["protocol_titles"]

_DIGEST = re.compile(r" ?#[0-9a-f]{8}\b")


def protocol_titles(protocols: Sequence[str]) -> dict[str, str]:
    """Return titles without digests; those that are then the same are numbered.

    >>> protocol_titles(["occupations (faces@1#0a1b2c3d): 20 prompts #4dc66ac5", "mine"]).values()
    dict_values(['occupations (faces@1): 20 prompts', 'mine'])
    """
    plain = {protocol: _DIGEST.sub("", protocol) for protocol in protocols}
    same = {title: [protocol for protocol in plain if plain[protocol] == title] for title in plain.values()}
    return {
        protocol: title if len(same[title]) == 1 else f"{title} ({same[title].index(protocol) + 1})"
        for protocol, title in plain.items()
    }
