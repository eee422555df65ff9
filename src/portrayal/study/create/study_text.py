"""The text of a new study.toml: a method's own file with the parts of the study put in."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from portrayal.bundles import Bundle
from portrayal.errors import ConfigError
from portrayal.study.config import GeneratorConfig, PartConfig
from portrayal.study.create.toml_lines import set_keys, written
from portrayal.suites import REFERENCES, SUITES

__all__ = ["chosen_references", "shipped", "study_text"]

_BLOCK = r"^\[\[{0}s\]\][^\n]*\nuse = \${0}\n(?:(?!\[\[|\[\w+\]).*\n)*"
"""The table of a part in a method's file, up to the next table that is no part of it."""
_SETTINGS = "      # this generator's own settings"


def study_text(
    method: str,
    bundle: Bundle,
    folder: Path,
    title: str,
    suite: PartConfig,
    generators: Sequence[GeneratorConfig],
    annotators: Sequence[PartConfig],
) -> str:
    """Return the file with these parts; a key that the method's file explains keeps what is said beside it."""
    template = original = shipped(bundle, bundle.study) if bundle.study else _usual()
    blocks: dict[str, str] = {}
    for kind, parts in (("generator", generators), ("annotator", annotators)):
        block = re.search(_BLOCK.format(kind), original, re.MULTILINE)
        if block is None:
            raise ConfigError(f"the file {bundle.study!r} of the package {bundle.package} has no table of the {kind}")
        blocks[kind] = _tables(block[0], kind, parts)
        template = template.replace(block[0], f"${{{kind}}}")
    text = Template(template).substitute(
        folder=" ".join(shlex.quote(str(folder)).splitlines()),
        title=written(title or folder.resolve().name),
        suite_use=written(suite.use),
        suite_options="".join(f"options.{key} = {written(value)}\n" for key, value in suite.options.items()),
        suite_path=written(suite.options.get("path", "")),
        references=chosen_references(suite.use),
        suggested=_suggested_references(bundle.suite),
        method=written(method),
        **blocks,
    )
    return text if "$suite_options" in template else set_keys(text, "suite.options", suite.options)


def _tables(block: str, kind: str, parts: Sequence[PartConfig]) -> str:
    """Return a part's table for each of the parts; what its keys mean is said in the first."""
    texts = []
    for number, part in enumerate(parts):
        remark = _SETTINGS if kind == "generator" and not number else ""
        table = block if not number else re.sub(r"[ \t]+#.*$", "", block, flags=re.MULTILINE)
        if part.options and f"${kind}_options" not in table:
            table = f"{table.rstrip()}\n${kind}_options\n"
        options = _options(f"{kind}s", part.options, remark)
        values = {kind: written(part.use), f"{kind}_options": options}
        told = part.model_fields_set & {"images", "name", "role"}
        keys = {key: getattr(part, key) for key in sorted(told)}
        texts.append(set_keys(Template(table).substitute(values), f"{kind}s", keys))
    return "".join(texts)


def _usual() -> str:
    """Return the file of methods that bring none."""
    return (resources.files(__package__) / "study.toml.in").read_text(encoding="utf-8")


def shipped(bundle: Bundle, name: str) -> str:
    """Return the text of a file that a method's package brings."""
    try:
        return (resources.files(bundle.package) / name).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"the package {bundle.package} has no file {name!r}, which its bundle names") from error


def _references(suite: str) -> Mapping[str, str]:
    references: Mapping[str, str] = getattr(SUITES.load(suite), "references", {})
    return references


def chosen_references(suite: str) -> str:
    """Return the lines that compare a suite's occupations with the references it names."""
    return "".join(f"{attribute} = {written(name)}\n" for attribute, name in _references(suite).items())


def _suggested_references(suite: str) -> str:
    """Return the names of these references for a comment, each with what it is."""
    known = REFERENCES.entries()
    names = dict.fromkeys(_references(suite).values())
    return "".join(f"{written(name)} ({known[name].summary}), " for name in names)


def _options(table: str, options: Mapping[str, Any], remark: str = "") -> str:
    """Return a part's table of options, or a comment where it needs none."""
    if not options:
        return f"# [{table}.options]{remark}\n"
    return f"[{table}.options]\n" + "".join(f"{key} = {written(value)}\n" for key, value in options.items())
