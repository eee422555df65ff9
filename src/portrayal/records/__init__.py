"""The nouns: what is asked, drawn, seen, voted on and measured, each beside its Arrow schema."""

from portrayal.records.arrow_rows import from_table, record_schema, schema_of, to_table
from portrayal.records.asked.attribute import (
    BUILTIN_ATTRIBUTES,
    CROSS,
    JOINT,
    PERSON,
    Attribute,
    attribute_table,
    intersection,
)
from portrayal.records.asked.job import JOB_SCHEMA, Job, plan_edit, plan_job
from portrayal.records.asked.prompt import PROMPT_SCHEMA, SIDES, Prompt, aspect, content_id, content_id_of
from portrayal.records.asked.reference import TRUTH_SCHEMA, Reference, UncoveringReference
from portrayal.records.codes.note import NOTES, Adjustment, Note, said
from portrayal.records.codes.reason import REASONS, Reason, known_reasons, reason_of, reason_parts, reason_text
from portrayal.records.drawn.drawn_round import ROUND_SCHEMA, DrawnRound, Stop
from portrayal.records.drawn.imported import (
    SET_ASIDE,
    Finding,
    FoundImage,
    ImageResults,
    PromptResults,
    plain_prompt,
    plain_text,
    single_precision,
)
from portrayal.records.drawn.outcome import OUTCOME_SCHEMA, Failed, Made, Outcome, Person, Refused
from portrayal.records.drawn.spending import SPENDING_SCHEMA, Spending
from portrayal.records.judged.observation import OBSERVATION_SCHEMA, Abstention, Image, Observation
from portrayal.records.judged.picture_comparison import COMPARISON_SCHEMA, Comparison
from portrayal.records.judged.precision_check import PRECISION_SCHEMA, PrecisionCheck
from portrayal.records.judged.vote import RATING_NOTES, VOTE_SCHEMA, Vote
from portrayal.records.measurement import MEASUREMENT_SCHEMA, Measurement
from portrayal.records.metric_range import metric_range, range_of_difference
from portrayal.records.part_names import PartNames

__all__ = [
    "BUILTIN_ATTRIBUTES",
    "COMPARISON_SCHEMA",
    "CROSS",
    "JOB_SCHEMA",
    "JOINT",
    "MEASUREMENT_SCHEMA",
    "NOTES",
    "OBSERVATION_SCHEMA",
    "OUTCOME_SCHEMA",
    "PERSON",
    "PRECISION_SCHEMA",
    "PROMPT_SCHEMA",
    "RATING_NOTES",
    "REASONS",
    "ROUND_SCHEMA",
    "SET_ASIDE",
    "SIDES",
    "SPENDING_SCHEMA",
    "TRUTH_SCHEMA",
    "VOTE_SCHEMA",
    "Abstention",
    "Adjustment",
    "Attribute",
    "Comparison",
    "DrawnRound",
    "Failed",
    "Finding",
    "FoundImage",
    "Image",
    "ImageResults",
    "Job",
    "Made",
    "Measurement",
    "Note",
    "Observation",
    "Outcome",
    "PartNames",
    "Person",
    "PrecisionCheck",
    "Prompt",
    "PromptResults",
    "Reason",
    "Reference",
    "Refused",
    "Spending",
    "Stop",
    "UncoveringReference",
    "Vote",
    "aspect",
    "attribute_table",
    "content_id",
    "content_id_of",
    "from_table",
    "intersection",
    "known_reasons",
    "metric_range",
    "plain_prompt",
    "plain_text",
    "plan_edit",
    "plan_job",
    "range_of_difference",
    "reason_of",
    "reason_parts",
    "reason_text",
    "record_schema",
    "said",
    "schema_of",
    "single_precision",
    "to_table",
]
