"""Whether a method can score images that exist already: it may need edits, or prompts of its suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from portrayal.study.importing.folders.manifest import MANIFEST_NAME
from portrayal.study.importing.import_rows import match_prompt, suite_prompts
from portrayal.suites import SUITES, Suite

__all__ = ["unscored"]


def unscored(prompts: Sequence[str], suite: Suite, method: str, *, own_suite_only: bool) -> Iterator[str]:
    """Yield why nothing, or nothing that the suite knows of, would be computed of images by these prompts."""
    if any(prompt.edits for prompt in suite.prompts):
        yield (
            f"the method {method!r} scores edits of pictures, and imported images are not known as edits, so it would "
            "score nothing; add [[generators]] to study.toml, one that draws and one that edits"
        )
        return
    known = suite_prompts(suite)
    if any(match_prompt(known, text) for text in prompts):
        return
    count = "the prompt of the images is not" if len(prompts) == 1 else f"none of the {len(prompts):,} prompts is"
    effect = f"the method {method!r} would score nothing" if own_suite_only else "what the suite knows is not used"
    example = next(prompt.text for prompt in suite.prompts)
    show = f" (portrayal suites show {suite.name})" if suite.name in SUITES.entries() else ""
    yield (
        f"{count} in the suite {suite.name!r} (there: {example!r}), so {effect}; name the folders after its prompts"
        f"{show}, or list the images with them in {MANIFEST_NAME}"
    )
