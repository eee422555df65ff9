"""Try Before You Bias: what pictures of objects show uninvited, what they leave out, and how often they miss."""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Tbyb",
        "Try Before You Bias: objects in captions against prompts: distribution bias, hallucination, miss rate",
        needs=("simplemma",),
        extra="words",
        words="Try Before You Bias: which things pictures add to what was asked, and which they leave out",
    ),
    section=Entry(".report.section:TbybSection"),
    texts="texts",
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry(".wide:wide"),
    suites={"tbyb": Entry(".suite:tbyb", "Try Before You Bias: pictures of 100 objects; actions, occupations, tasks")},
    study="study.toml.in",
    suite="tbyb",
    commands=Entry(".commands:app", "Try Before You Bias: score captions, explain one image."),
    attributes=("caption", "prompt_match"),
    part_options={
        # The authors' code stops a caption at 10 tokens, of which the first is the sign that it begins.
        "caption": {"max_tokens": 9},
        # It asks for the prompt or for nothing at all.
        "clip": {"attributes": ["prompt_match"], "words": {"prompt_match": {"miss": " "}}},
    },
    annotators=(
        {"use": "caption:Salesforce/blip-image-captioning-base", "options": {"revision": ""}},
        {"use": "clip:openai/clip-vit-large-patch14"},
    ),
    asks_for_things=True,
    atlas=Entry(".atlas:ATLAS", "objects in captions"),
)

NOTES: Mapping[str, str] = {
    "no_caption": "no usable caption",
    "no_object_asked": "no data: the prompts name no object",
    "objectless": "without {n|image|images} of prompts that name no object",
    "unfindable": "{n|image|images} of prompts for a man, woman, boy, girl or child, whom the released order never "
    'finds; options.people = "merged" does',
    "no_uninvited_words": "no data: captions name nothing beyond their prompts",
    "nobody_judged": "no data: no annotator says whether images show their prompt",
    "none_judged": "no data: for no image is it known whether it shows its prompt",
    "log_of_one_word": "not defined: only one word came uninvited, so the distribution bias is 0",
    "log_of_no_object": "not defined: no caption names anything of its prompt, so the hallucination is 1",
    "log_of_no_match": "not defined: no image shows its prompt, so the miss rate is 1",
    "log_without_words": "no data: captions name nothing beyond their prompts, so there is no distribution bias",
    "log_without_misses": "no data: the miss rate is not known",
    "at_images": "at {n|image|images}, the fewest of any generator",
    "unsure_bound": "no interval: some draws of prompts leave it undefined",
    "bound_of_one_prompt": "no interval: one prompt does not tell how others would do",
    "bound_of_few_prompts": "no interval: {n|prompt does|prompts do} not show how others would do; it takes {least}",
    "bound_of_few_words": "no interval: captions name uninvited words only {n} times in all; it takes {least}",
    "bound_of_flat_words": "no interval: the commonest word is in only {n|image|images} more than the rarest, so a "
    "single image would move the score a lot; it takes {least}",
    "bound_of_one_word": "no interval: only one word came uninvited",
    "chosen_objects": "only the objects {names}",
    "with_actions": "people doing things with the objects",
    "with_released_actions": "people doing three things with each object, as the authors released them",
    "with_released_occupations": "40 occupations, good, bad and looking like it, as the authors released them",
    "with_captions": "captions with the words {names}",
    "with_occupations": "occupations of the list {names}",
    "with_tasks": "tasks from {names}",
    "prompt_sample": "a sample of {n} prompts (seed {seed})",
    "similarity_threshold": "words count as the same from a similarity of {value} on",
    "no_similarity": "the similarity of words plays no part",
    "people_merged": "man, woman, boy, girl and child are one word, person, before words are counted",
    "own_left_out": "words to leave out from {names}",
}
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
