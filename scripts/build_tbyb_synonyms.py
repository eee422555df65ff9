"""Writes methods/tbyb/data/synonyms.csv: the synonyms of the suite's objects, from WordNet 3.0.

Which of an object's senses are meant is in ``senses.csv``, chosen by hand: a plane that is drawn is an aeroplane and no
sheet. Words are kept as lemmas, as those of captions are. ``synset`` is where the sense stands in WordNet's data.noun.
Run it with the folder of WordNet's files: ``python scripts/build_tbyb_synonyms.py /usr/share/wordnet``.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from portrayal.methods.tbyb.words.reading import Reader
from portrayal.methods.tbyb.words.wordnet import WordNet

DATA = Path(__file__).parents[1] / "src" / "portrayal" / "methods" / "tbyb" / "data"


def main(folder: Path) -> None:
    """Write the table."""
    wordnet, reader = WordNet(folder), Reader.of()
    rows = set()
    for row in csv.DictReader((DATA / "senses.csv").open(encoding="utf-8")):
        name = " ".join(token.lemma for token in reader.read(row["object"]))
        known = row["object"] if wordnet.senses(row["object"]) else name
        for sense in row["senses"].split():
            synset = wordnet.senses(known)[int(sense) - 1]
            for synonym in wordnet.words(synset):
                tokens = reader.read(synonym)
                lemma = " ".join(token.lemma for token in tokens)
                if lemma != name and not all(token.left_out for token in tokens):
                    rows.add((name, lemma, synset))
    with (DATA / "synonyms.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("object", "synonym", "synset"), *sorted(rows)])
    print(f"{len(rows)} synonyms of {len({row[0] for row in rows})} objects")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
