from __future__ import annotations

import pytest

from portrayal.services.no_result import LEADS_TO, leads_elsewhere


@pytest.mark.parametrize("headers", [{}, {LEADS_TO: "javascript:alert(1)"}, {LEADS_TO: "file:///x"}, {LEADS_TO: "//["}])
def test_a_redirect_without_an_address_of_the_web_names_none(headers: dict[str, str]) -> None:
    said = str(leads_elsewhere("generator 'x'", "https://host.example/v1", 304, headers))
    assert said.endswith("https://host.example/v1 answers 304 and names no other address of the web; check the address")


def test_a_redirect_names_where_it_leads() -> None:
    said = str(leads_elsewhere("generator 'x'", "https://host.example/v1", 302, {LEADS_TO: "/v2"}))
    assert "leads elsewhere (302), to https://host.example; if you trust it" in said
