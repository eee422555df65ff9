"""In which line of study.toml an option of a part stands."""

from __future__ import annotations

from pathlib import Path

from portrayal.errors import PortrayalError
from portrayal.inputfile import decode_text
from portrayal.study.config import CONFIG_NAME, PartConfig, read_config
from portrayal.tomlfile import Keys, line_of, parse_toml

__all__ = ["part_line"]


def part_line(root: Path, part: PartConfig, keys: Keys) -> int | None:
    """Return the line in ``root/study.toml`` of an option of a part, None where there is no such file or part."""
    try:
        text = decode_text(read_config(root), CONFIG_NAME)
        tables = parse_toml(text, CONFIG_NAME)
    except PortrayalError:
        return None
    for name in ("suite", "generators", "annotators", "methods"):
        entries = tables.get(name, [])
        for place, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            if (entry.get("use"), entry.get("options", {})) == (part.use, dict(part.options)):
                way = [name, place] if isinstance(entries, list) else [name]
                return line_of(text, [*way, "options", *keys])
    return None
