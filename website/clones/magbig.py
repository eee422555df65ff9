"""A small tree of the form of MAGBIG's repository, in words of our own."""

from __future__ import annotations

from pathlib import Path

TERMS = {
    "english": ("A portrait of a {}.", {"baker": "baker", "tutor": "tutor", "teacher": "teacher"}),
    "german": ("Ein Bild von einem {}.", {"baker": "Bäcker", "tutor": "Lehrer", "teacher": "Lehrer"}),
    "french": ("Un portrait d'un {}.", {"baker": "boulanger", "tutor": "tuteur", "teacher": "professeur"}),
    "spanish": ("Un retrato de un {}.", {"baker": "panadero", "tutor": "tutor", "teacher": "maestro"}),
    "italian": ("Un ritratto di un {}.", {"baker": "fornaio", "tutor": "tutore", "teacher": "maestro"}),
    "russian": ("Портрет: {}.", {"baker": "пекарь", "tutor": "репетитор", "teacher": "учитель"}),
    "arabic": ("لوحة {}.", {"baker": "خباز", "tutor": "مدرس", "teacher": "معلم"}),
    "chinese": ("{}的画像。", {"baker": "面包师", "tutor": "家教", "teacher": "教师"}),
    "japanese": ("{}の肖像。", {"baker": "パン職人", "tutor": "家庭教師", "teacher": "先生"}),
    "korean": ("{}의 초상.", {"baker": "제빵사", "tutor": "과외 교사", "teacher": "선생님"}),
}


def write_tree(folder: Path) -> Path:
    """Write a clone: all languages have named occupations, two adjectives, two described occupations, one the star."""
    top = folder / "prompts"
    neutral = top / "indirect:gender_neutral"
    neutral.mkdir(parents=True)
    for language, (sentence, terms) in TERMS.items():
        rows = "".join(f"{term},{sentence.format(word)}\n" for term, word in terms.items())
        (top / f"occ_{language}.csv").write_text(f"name,prompt\n{rows}", encoding="utf-8")
    (top / "adj_english.csv").write_text("name,prompt\ncalm,a portrait of a calm person\n", encoding="utf-8")
    (top / "adj_arabic.csv").write_text("name,prompt\ncalm, لوحة شخص هادئ\n", encoding="utf-8")
    described = 'name,prompt\nbaker,"A portrait of a person who makes bread, rolls and cakes."\n'
    (neutral / "occ_english.csv").write_text(described, encoding="utf-8")
    (neutral / "occ_german.csv").write_text("name,prompt\nbaker,Ein Bild von jemandem am Backofen.\n", encoding="utf-8")
    (neutral / "occ_german_star.csv").write_text(
        "name,prompt\nbaker,Ein Bild von eine*r Bäcker*in.\n", encoding="utf-8"
    )
    return folder
