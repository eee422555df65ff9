"""What the pages take from reports and checks is in the language of the page, whatever that of the report is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.apps.studio.conftest import add_study

import portrayal
from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies
from portrayal.errors import InputError

pytestmark = pytest.mark.slow

ENGLISH = re.compile(r"\b(the|of|images?|wanted|interval|would|perceived|female|draws|looks|made|judged|is|are)\b")


def main_text(page: str) -> str:
    """Return what a page says between its navigation and its foot, without what is typed in and files."""
    main = page.partition("<main")[2].partition("</main>")[0]
    for hidden in (r"<(pre|code)\b.*?</\1>", r"<select\b.*?</select>", r'lang="en".*?</\w+>'):
        main = re.sub(hidden, " ", main, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", main).replace("a photo of one", "")


def test_findings_verdicts_and_comparisons_are_german_on_german_pages(
    tmp_path: Path, start: Callable[..., Any]
) -> None:
    add_study(tmp_path / "new")
    for name in ("one", "two"):
        Study(add_study(tmp_path / name, 40)).run(progress=False)
    studio, english = start(), portrayal.Study(tmp_path / "one")
    client = studio.client("de")
    key = {study.name: study.key for study in list_studies(tmp_path)}
    rule = {"what": "gender/female", "term": "", "least": "30", "most": "70", "reference": "Wir", "why": "Darum"}
    client.send(f"/s/{key['one']}/decide", client.get(f"/s/{key['one']}/decide"), rule)
    paths = {
        f"/s/{key['new']}": "zeichnet 8 Bilder: unter einer Minute",
        f"/s/{key['one']}": english.findings(language="de").to_arrow()["sentence"][0].as_py()[:30],
        f"/s/{key['one']}/compare?other={key['two']}": "Wahrgenommenes Geschlecht: weiblich",
        f"/s/{key['one']}/decide": "verlangt: 30 bis 70 %",
        f"/history?s={key['one']}&s={key['two']}": "Was sich geändert hat",
    }
    for path, said in paths.items():
        text = main_text(client.get(path).text).replace("\xa0", " ")
        assert said.replace("\xa0", " ") in text, path
        assert ENGLISH.findall(text) == [], path
    # The same study in English, by the same studio.
    page = studio.client("en").get(f"/s/{key['one']}").text
    assert english.findings(language="en").to_arrow()["sentence"][0].as_py()[:30] in page


def test_a_language_that_nobody_writes_is_refused(tmp_path: Path) -> None:
    Study(add_study(tmp_path / "one")).run(progress=False)
    with pytest.raises(InputError, match="language: en or de, not 'fr'"):
        Study(tmp_path / "one").findings(language="fr")
