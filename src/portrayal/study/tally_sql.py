"""The queries by which a stretch of the plan is added up.

``final`` are its jobs with their answers, ``seen`` is what annotators said of their images, ``blocked`` are the images
that cannot be used as a whole, and why.
"""

from collections.abc import Mapping

__all__ = [
    "BLOCKED",
    "CONFUSION",
    "FINAL",
    "KEY",
    "LABELS",
    "MASSES",
    "MISSING",
    "ONE",
    "OPEN",
    "PLANNED",
    "SEEN",
    "VALUES",
    "WANTED",
]

FINAL = """
    SELECT chunk.id AS job, chunk.prompt, chunk.generator, chunk.index, chunk.seed,
           answer.status, answer.reason, answer.detail, answer.image, answer.ext, answer.planted
    FROM chunk LEFT JOIN (
        SELECT * FROM outcomes WHERE job IN (SELECT id FROM chunk)
        QUALIFY row_number() OVER (PARTITION BY job ORDER BY status = 'failed', attempt DESC) = 1
    ) AS answer ON answer.job = chunk.id
"""
SEEN = """
    SELECT image, annotator, subject, attribute, mass, value, reason FROM observations
    WHERE image IN (SELECT image FROM final) AND annotator IN ({annotators})
"""
ONE: Mapping[str, str] = {"one": "true", "each": "false", "asked": "coalesce(asked.people, 1) = 1"}
"""Whether an image must show exactly one person, by the way of counting."""
WANTED = """
    SELECT final.*, {one} AS one FROM final LEFT JOIN (SELECT id, people FROM prompts) AS asked ON asked.id = prompt
"""
# An image-level reason blocks the image, unless every person counts and there are people. Several people block it
# where one is wanted, even if the annotator did not say so. An image about which all that is said is whether it shows
# anyone shows nobody. The same picture may answer prompts of either kind.
BLOCKED = """
    WITH looked AS (SELECT seen.*, one FROM seen JOIN (SELECT DISTINCT image, one FROM final) USING (image))
    SELECT image, annotator, one, min(reason) AS reason FROM (
        SELECT image, annotator, one, reason FROM looked
        WHERE subject IS NULL AND (one OR (image, annotator) NOT IN (
            SELECT (image, annotator) FROM seen
            WHERE (mass IS NOT NULL OR value IS NOT NULL) AND attribute <> 'person'))
        UNION ALL
        SELECT image, annotator, one, 'several_people' FROM looked
        WHERE one AND (mass IS NOT NULL OR value IS NOT NULL)
        GROUP BY image, annotator, one HAVING count(DISTINCT subject) > 1
        UNION ALL
        SELECT image, annotator, one, 'no_person' FROM looked
        GROUP BY image, annotator, one HAVING bool_and(coalesce(attribute = 'person', false))
    ) GROUP BY image, annotator, one
"""
OPEN = "FROM final JOIN seen USING (image) ANTI JOIN blocked USING (image, annotator, one)"
KEY = "generator, prompt, annotator, attribute"
LABELS = f"""
    SELECT {KEY}, CAST(list_position(mass, list_max(mass)) - 1 AS INTEGER) AS "group",
           CAST(count(*) AS DOUBLE) AS count
    {OPEN} WHERE mass IS NOT NULL GROUP BY ALL
"""
MASSES = f"""
    SELECT {KEY}, "group", sum(part) AS count FROM (
        SELECT {KEY}, CAST(unnest(range(len(mass))) AS INTEGER) AS "group", CAST(unnest(mass) AS DOUBLE) AS part
        {OPEN} WHERE mass IS NOT NULL)
    GROUP BY ALL
"""
VALUES = f"""
    SELECT {KEY}, count(*) AS n, sum(value) AS total, sum(value * value) AS squares
    {OPEN} WHERE value IS NOT NULL AND isfinite(value) GROUP BY ALL
"""
# An image counts once for a reason, however many of its people it concerns: the whole is the images planned.
MISSING = f"""
    SELECT {KEY}, reason, CAST(count(*) AS DOUBLE) AS count FROM (
        SELECT generator, prompt, '' AS annotator, '' AS attribute,
               CASE WHEN status IS NULL THEN 'pending' ELSE status || ': ' || coalesce(reason, 'unknown') END AS reason
        FROM final WHERE status IS DISTINCT FROM 'made'
        UNION ALL
        SELECT generator, prompt, looker.annotator, '', 'not annotated'
        FROM final CROSS JOIN (SELECT unnest([{{annotators}}]) AS annotator) AS looker
        WHERE status = 'made' AND (image, looker.annotator) NOT IN (SELECT (image, annotator) FROM seen)
        UNION ALL
        SELECT generator, prompt, annotator, '', blocked.reason FROM final JOIN blocked USING (image, one)
        UNION ALL
        SELECT {KEY}, reason FROM (
            SELECT DISTINCT job, {KEY}, seen.reason {OPEN} WHERE attribute IS NOT NULL AND seen.reason IS NOT NULL)
    ) GROUP BY ALL
"""
PLANNED = "SELECT generator, prompt, CAST(count(*) AS DOUBLE) AS count FROM final GROUP BY ALL"
CONFUSION = f"""
    SELECT {KEY}, map_extract_value(planted[1], attribute) AS planted,
           CAST(list_position(mass, list_max(mass)) - 1 AS INTEGER) AS perceived, CAST(count(*) AS DOUBLE) AS count
    {OPEN} WHERE mass IS NOT NULL AND len(planted) = 1 AND map_extract_value(planted[1], attribute) IS NOT NULL
    GROUP BY ALL
"""
