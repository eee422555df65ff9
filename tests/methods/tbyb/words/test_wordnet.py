"""On a WordNet of three nouns, in the format of the real one's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.methods.tbyb.words.wordnet import WordNet

INDEX = """\
  1 This software and database is being provided to you ...
couch n 2 3 @ ~ %p 2 1 00000100 00000200
sofa n 1 2 @ ~ 1 0 00000100
cell_phone n 1 1 @ 1 0 00000300
"""
DATA = """\
  1 This software and database is being provided to you ...
00000100 06 n 03 sofa 0 couch 0 Lounge 0 001 @ 00000300 n 0000 | an upholstered seat
00000200 06 n 01 couch 0 000 | a narrow bed
00000300 06 n 02 cell_phone 0 mobile_phone 0 000 | a telephone
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.noun").write_text(INDEX, encoding="utf-8")
    (tmp_path / "data.noun").write_text(DATA, encoding="utf-8")
    return tmp_path


def test_synonyms_are_the_other_words_of_all_senses(folder: Path) -> None:
    wordnet = WordNet(folder)
    assert wordnet.synonyms("couch") == ["sofa", "lounge"]
    assert wordnet.synonyms("sofa") == ["couch", "lounge"]
    assert wordnet.synonyms("cell phone") == ["mobile phone"]
    assert wordnet.synonyms("unheard") == []


def test_senses_come_with_the_commonest_first(folder: Path) -> None:
    wordnet = WordNet(folder)
    assert wordnet.senses("couch") == ("00000100", "00000200")
    assert wordnet.words("00000200") == ("couch",)


def test_a_folder_without_wordnet_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no WordNet here, index.noun is missing"):
        WordNet(tmp_path)
