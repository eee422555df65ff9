from __future__ import annotations

from portrayal.apps.atlas.evaluations.columns import protocol_titles


def test_titles_have_no_digests_and_differ() -> None:
    one, two, three = "tbyb (a@1#00000001): 2 prompts #0000000a", "tbyb (a@1#00000002): 2 prompts #0000000a", "mine #1"
    assert protocol_titles([one, two, three, ""]) == {
        one: "tbyb (a@1): 2 prompts (1)", two: "tbyb (a@1): 2 prompts (2)", three: "mine #1", "": "",
    }  # fmt: skip
