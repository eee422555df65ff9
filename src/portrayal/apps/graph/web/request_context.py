"""One request to a page of the annotation: who it is from, and the page that answers it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.requests import Request

from portrayal.apps.graph.annotations.judgements import Annotator
from portrayal.apps.graph.web.service import GraphService
from portrayal.graph.guidelines import Guidelines
from portrayal.graph.typed_graph import Key
from portrayal.language.translation import spoken, t
from portrayal.reports.text.words import capital
from portrayal.web.page_context import LinkRequired, PageContext, who_asks
from portrayal.web.site import Site

__all__ = ["AppState", "RequestContext", "annotator_context", "return_path"]

_RETURN = re.compile(r"/(consent|guidelines|overview|done|vertex/[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class AppState:
    """What all requests share; ``contact`` is whom annotators can ask."""

    site: Site
    service: GraphService
    contact: str


@dataclass(frozen=True, slots=True)
class RequestContext(PageContext):
    """What a page needs to know about its request."""

    app_state: AppState
    annotator: Annotator | None = None

    @property
    def service(self) -> GraphService:
        """What is behind the pages."""
        return self.app_state.service

    @property
    def title(self) -> str:
        """What the site is called."""
        return self.site.settings.title or t("Relations that people see")

    @property
    def here(self) -> str:
        """Where a change of language leads back to."""
        return return_path(self.request.url.path)

    @property
    def asked(self) -> str:
        """Whom annotators can ask."""
        return self.app_state.contact

    @property
    def guidelines(self) -> Guidelines:
        """How to judge, in the language of the page or in English."""
        known = self.service.domain.guidelines
        return known.get(spoken()) or known["en"]

    def name(self, key: Key) -> str:
        """Return what a vertex is called, as it stands by itself."""
        return capital(self.service.domain.title(key, spoken()))

    def require_annotator(self) -> Annotator:
        """Return who is annotating; without a link there is no page to see."""
        if self.annotator is None:
            raise LinkRequired
        return self.annotator


def annotator_context(request: Request) -> RequestContext:
    """Return the context of an annotator's request, or of someone who is none."""
    app_state: AppState = request.app.state.graph
    session, annotator = who_asks(app_state.site, request, app_state.service.annotator_of)
    return RequestContext(request, app_state.site, session, app_state, annotator)


def return_path(path: str) -> str:
    """Return a path that a change of language may lead back to: no other, for it may hold a token."""
    return path if _RETURN.fullmatch(path) else "/"
