"""The twenty properties of Croissant's vocabulary for responsible AI (RAI 1.0), as far as a study knows them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from portrayal import __version__
from portrayal.annotators.annotator import looks_itself
from portrayal.apps.publish.published_numbers import SCOPE
from portrayal.study.parts.part_names import page_names
from portrayal.study.study import OpenStudy

__all__ = ["responsible_ai"]

_NOBODY = "Not known to Portrayal."


def responsible_ai(study: OpenStudy) -> dict[str, Any]:
    """Return the properties; what only its author can know says so."""
    rows = study.workspace.query(
        "SELECT status, count(*) AS n FROM outcomes GROUP BY status ORDER BY status"
    ).to_pylist()
    answers = ", ".join(f"{row['n']} {row['status']}" for row in rows) or "none"
    names = page_names(study)
    models = [names.generator(name) for name in study.generators]
    machines = [name for name, (_, annotator) in study.annotators.items() if looks_itself(annotator)]
    told = {name: [each.title for each in annotator.attributes] for name, (_, annotator) in study.annotators.items()}
    looked = [f"{names.annotator(name)} reports {', '.join(titles)}" for name, titles in told.items()]
    return {
        f"rai:{name}": said
        for name, said in {
            "dataCollection": f"Prompts of the suite were given to {', '.join(models) or 'no generator'}; every "
            "picture and every refusal was kept.",
            "dataCollectionType": ["Software Collection", "Machine-generated"],
            "dataCollectionMissingData": f"Answers: {answers}. A picture in which nobody could be judged has a row "
            "with the reason; what is missing is counted beside every number.",
            "dataCollectionRawData": "The pictures, byte for byte as they came; prompts as they were given.",
            "dataCollectionTimeFrame": _days(study),
            "dataImputationProtocol": "None: nothing that is missing is filled in.",
            "dataPreprocessingProtocol": ["None of the pictures; annotators shrink copies for themselves."],
            "dataManipulationProtocol": "None.",
            "dataAnnotationProtocol": looked or ["Nobody looked at the pictures."],
            "dataAnnotationPlatform": [f"Portrayal {__version__}"],
            "dataAnnotationAnalysis": [
                "Shares are not corrected for annotators' errors unless a column says so; agreement between annotators "
                "can be computed of observations.csv."
            ],
            "annotationsPerItem": str(len(told)),
            "annotatorDemographics": ["Not applicable: machines looked."]
            if machines and len(machines) == len(told)
            else [_NOBODY],
            "machineAnnotationTools": machines or ["None."],
            "dataBiases": [
                "Annotators' errors differ between groups of people. Attributes are perceived, mostly binary or coarse."
            ],
            "dataUseCases": ["Measuring how these models portray people when asked these prompts; not training."],
            "dataLimitations": [f"The numbers are about {SCOPE}."],
            "dataSocialImpact": "Shares may be quoted without their intervals, or perceived attributes taken for facts "
            "about people.",
            "personalSensitiveInformation": [
                "Perceived gender, age, race or skin tone of depicted people. Generated pictures may resemble real "
                "ones; imported photographs show whom they show."
            ],
            "dataReleaseMaintenancePlan": _NOBODY,
        }.items()
    }


def _days(study: OpenStudy) -> list[str]:
    """Return when work on it began and ended, as far as files say."""
    times = [segment.path.stat().st_mtime for segment in study.workspace.tables["outcomes"].segments()]
    return [datetime.fromtimestamp(time, UTC).date().isoformat() for time in (min(times), max(times))] if times else []
