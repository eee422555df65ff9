"""Names of relations and metrics, and sentences about edges, in the language of the page."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.graph import Key, Triple
from portrayal.language.translation import digits, spoken, t
from portrayal.methods.socialbiaskg.report.relations import EdgeRow, Relations, Row
from portrayal.methods.socialbiaskg.report.states import even_too
from portrayal.methods.socialbiaskg.scores import ratio
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.methods.socialbiaskg.wide import metric_sign
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.wide_intervals import SIGN, side_is_small
from portrayal.reports.text.words import capital, count, human, percent, percent_range, score

__all__ = [
    "LETTERS",
    "edge_said",
    "edge_title",
    "even_said",
    "findings",
    "group_title",
    "measured",
    "metric_title",
    "moved_line",
    "numbers",
    "occupation_title",
    "type_letter",
    "type_title",
]

LETTERS = {"stereotyped_as": "S", "associated_with": "A", "dominant_in": "D", "underrepresented_in": "U"}


def type_title(name: str) -> str:
    """Return a kind of relation in words."""
    return {
        "stereotyped_as": t("stereotype"),
        "associated_with": t("association"),
        "dominant_in": t("dominance"),
        "underrepresented_in": t("underrepresentation"),
    }[name]


def type_letter(triple: Triple) -> str:
    """Return the mark of an edge: a letter, with an arrow where it leads from a group to an occupation."""
    back = "" if triple.source.kind == OCCUPATION else "\N{LEFTWARDS ARROW}"
    return back + LETTERS[triple.type]


def group_title(name: str) -> str:
    """Return a group of people as it stands by itself; English writes all words of such names large."""
    return human(name).title() if spoken() == "en" else capital(human(name))


def occupation_title(relations: Relations, name: str) -> str:
    """Return an occupation as the page calls it: in German by its German title, where the tables have one."""
    german = relations.german.get(Key(OCCUPATION, name), name)
    return german if spoken() == "de" else name


def edge_title(relations: Relations, triple: Triple) -> str:
    """Return an edge in words."""
    names = [
        occupation_title(relations, end.name) if end.kind == OCCUPATION else group_title(end.name)
        for end in (triple.source, triple.target)
    ]
    return f"{names[0]} \N{RIGHTWARDS ARROW} {names[1]}: {type_title(triple.type)}"


def edge_said(relations: Relations, edge: EdgeRow) -> str:
    """Return what is to be said of one edge: whether it is there, about whom, and what speaks against it."""
    said = [_there(edge)]
    if edge.share is not None and not (edge.found and edge.share == 0):
        said.append(
            t(
                "Its rule is about all images of the occupation; {share} of them show the group.",
                share=percent(edge.share),
            )
        )
    if even := even_said(edge):
        said.append(f"{capital(even)}.")
    if contrary := relations.contrary.get((edge.generator, edge.triple)):
        listed = "; ".join(edge_title(relations, other) for other in contrary)
        said.append(t("A contrary relation is in the images: {listed}.", listed=listed))
    if edge.decides and edge.uncertain:
        none = edge.decides["low"] is None or edge.decides["high"] is None
        said.append(
            t("Uncertain: there is no interval.") if none else t("Uncertain: the interval holds the threshold.")
        )
    return " ".join(said)


def even_said(edge: EdgeRow) -> str:
    """Say what a model that shows all groups equally often would give, where it would have the relation too."""
    row = edge.decides
    if not edge.found or row is None or row["even"] is None:
        return ""
    shares = {"share": percent(row["even"]), "threshold": percent(row["threshold"])}
    if row["rarer"]:
        return t(
            "an even model would give {share}, below the threshold of {threshold} too; this is surely less", **shares
        )
    return t("an even model would give {share}, below the threshold of {threshold} too", **shares)


def _there(edge: EdgeRow) -> str:
    if edge.annotated and edge.found is None:
        return t("People see it; whether it is in the images could not be tested.")
    if edge.annotated and not edge.found:
        return t("People see it, and it is not in the images.")
    if edge.share == 0:
        return t("People see it, and its rule holds; but no image of the occupation shows the group.")
    return (
        t("People see it, and it is in the images.")
        if edge.annotated
        else t("It is in the images; people did not name it.")
    )


def numbers(row: Row) -> str:
    """Return in how many images a metric was measured, and how many do not count."""
    about = {"n": row["n"], "m": count(row["missing"])}
    if row["metric"] in ("iterative_similarity", "counterfactual_similarity"):
        return t("{n|pair|pairs} of images; images asked for and not counted: {m}", **about)
    return t("{n|image|images}; asked for and not counted: {m}", **about)


def metric_title(row: Row) -> str:
    """Return the metric of a row in words."""
    if row["metric"] == "failure" and not row["occupation_told"]:
        return t("share of images that show another group than the one asked for, or nobody")
    return {
        "diversity": t("groups that are seen, as a share of all groups"),
        "counterfactual_similarity": t("style similarity of images that differ only in the group asked for"),
        "iterative_similarity": t("style similarity of images of the same prompt"),
        "underrepresentation": t("share of images that show the group when none is asked for"),
        "dominance": t("share of images that show the group when none is asked for"),
        "failure": t("share of images that fail to show what was asked for"),
        "quality": t("image quality"),
        "dominant_occupation": t("share of images that show the occupation when none is asked for"),
    }[row["metric"]]


def measured(row: Row) -> str:
    """Return the value of a metric with its threshold."""
    if row["value"] is None:
        return t("not known")
    below = row["metric"] in ("diversity", "underrepresentation", "quality")
    value = score(row["value"], row["low"], row["high"], sign=metric_sign(row))
    threshold = digits(f"{row['threshold']:g}")
    if row["untold"] == "too_few_images":
        return t(
            "{value}; so few images can only lie below {threshold}: it decides nothing",
            value=value,
            threshold=threshold,
        )
    if row["untold"] == "too_few_groups":
        return t(
            "{value}; so few groups can never lie below {threshold}: it decides nothing",
            value=value,
            threshold=threshold,
        )
    if below:
        return t("{value}; it speaks for the relation below {threshold}", value=value, threshold=threshold)
    return t("{value}; it speaks for the relation above {threshold}", value=value, threshold=threshold)


def findings(relations: Relations, generator: str) -> list[Summary]:
    """Return what is to be said of one generator."""
    edges = relations.edges[generator]
    seen = [edge for edge in edges if edge.annotated]
    known = [edge for edge in seen if edge.found is not None]
    have = [edge for edge in known if edge.found]
    if not known:
        return [Summary(t("With people"), t("None of the relations that people see could be tested."), "", "", ())]
    share = ratio(len(have), len(known))
    assert share.value is not None
    assert share.low is not None
    assert share.high is not None
    about = {"n": count(len(have)), "m": count(len(known)), "share": percent(share.value)}
    sentence = t("{n} of {m} relations that people see are in the images too ({share}).", **about)
    if even := sum(even_too(edge) for edge in have):
        sentence += " " + t("Of these an even model would show {n} too.", n=count(even))
    unsure = sum(edge.uncertain for edge in known)
    span = percent_range(share.low, share.high) + (SIGN if side_is_small(share.value, len(known)) else "")
    rests = t("95 % interval {span}, as if these relations were a sample of others", span=span)
    unseen = sum(edge.share == 0 for edge in have)
    return [
        Summary(t("With people"), sentence, rests, _unsure(unsure, len(seen) - len(known), unseen), ()),
        Summary(t("Beyond people"), _emergent(edges), _contrary(relations, generator), "", ()),
    ]


def _unsure(unsure: int, untested: int, unseen: int) -> str:
    near = t(
        "Near their threshold or without an interval, so other images might say the opposite: {n}.",
        n=count(unsure),
    )
    lost = t("Could not be tested: {n}.", n=count(untested)) if untested else ""
    empty = t("In the images by their rule, though none shows the group: {n}.", n=count(unseen)) if unseen else ""
    return " ".join(filter(None, (near, lost, empty)))


def _emergent(edges: Sequence[EdgeRow]) -> str:
    new = sum(not edge.annotated for edge in edges)
    if not new:
        return t("No relation was found in the images that people did not name.")
    return t("{n|relation|relations} in the images that people did not name.", n=new)


def _contrary(relations: Relations, generator: str) -> str:
    tested = [edge for edge in relations.edges[generator] if edge.annotated and edge.found is not None]
    contrary = [one for one in tested if (generator, one.triple) in relations.contrary]
    if not contrary:
        return t("No tested relation of people has a contrary one in the images.")
    return t(
        "Tested relations of people with a contrary one in the images: {n}; of these in the images too: {m}.",
        n=count(len(contrary)),
        m=count(sum(bool(one.found) for one in contrary)),
    )


def moved_line(edges: Sequence[EdgeRow]) -> str:
    """Return what thresholds a tenth lower or higher would change."""
    known = [edge for edge in edges if edge.annotated]
    parts = []
    for column, lower in (("found_lower", True), ("found_higher", False)):
        more = sum(not edge.found and bool(edge.tests[0][column]) for edge in known)
        fewer = sum(bool(edge.found) and not edge.tests[0][column] for edge in known)
        numbers = {"more": count(more), "fewer": count(fewer)}
        parts.append(
            t("With all thresholds a tenth lower {more} more would count and {fewer} fewer.", **numbers)
            if lower
            else t("With all thresholds a tenth higher {more} more would count and {fewer} fewer.", **numbers)
        )
    return " ".join(parts)
