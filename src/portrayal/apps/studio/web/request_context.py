"""One request to a page of the studio: whether it is the auditor's, and the page that answers it."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.web.password_entry import PasswordEntry
from portrayal.apps.studio.web.service import StudioService
from portrayal.language.translation import t
from portrayal.web.page_context import LinkRequired, PageContext, who_asks
from portrayal.web.site import Site

__all__ = ["AUDITOR", "VIEW", "AppState", "RequestContext", "is_the_link", "return_path", "studio_context"]

AUDITOR = "auditor"
"""Whoever opened the link."""
VIEW = re.compile(
    r"/(atlas|history|s/[0-9a-f]{12}(/(pictures|missing|side-by-side|compare|decide|picture/[0-9a-f]{64}\.[a-z]{3,4}))?)"
)
"""Pages that can be taken away as a folder."""
_RETURN = re.compile(
    r"/(new|atlas|history|own(/[0-9a-f]{16})?|s/[0-9a-f]{12}(/(pictures|missing|side-by-side|compare|decide|people|share|settings))?)?"
)


@dataclass(frozen=True, slots=True)
class AppState:
    """What all requests share."""

    site: Site
    service: StudioService
    password: PasswordEntry | None = None


@dataclass(frozen=True, slots=True)
class RequestContext(PageContext):
    """What a page needs to know about its request."""

    app_state: AppState
    auditor: str | None = None

    @property
    def service(self) -> StudioService:
        """What is behind the pages."""
        return self.app_state.service

    @property
    def title(self) -> str:
        """What the site is called."""
        return t("Portrayal studio")

    @property
    def here(self) -> str:
        """Where a change of language leads back to."""
        return return_path(self.request.url.path)

    def render(self, name: str, heading: str, values: Mapping[str, Any] | None = None, status: int = 200) -> Response:
        """Return a page, which knows the address of its view where that can be copied."""
        return PageContext.render(self, name, heading, {"view": self._view(), **(values or {})}, status)

    def _view(self) -> str:
        url = self.request.url
        copied = self.request.method == "GET" and self.auditor is not None and VIEW.fullmatch(url.path)
        return f"{url.path}{'?' if url.query else ''}{url.query}" if copied else ""

    def require_auditor(self) -> None:
        """Let nobody see a page who did not come with the link."""
        if self.auditor is None:
            raise LinkRequired

    async def study(self, key: str) -> ListedStudy:
        """Return the study that an address names, to whoever came with the link; 404 where there is none."""
        self.require_auditor()
        study = await self.service.study(key)
        if study is None:
            raise HTTPException(404)
        return study


def studio_context(request: Request) -> RequestContext:
    """Return the context of a request."""
    app_state: AppState = request.app.state.studio
    session, auditor = who_asks(app_state.site, request, lambda who: who if who == AUDITOR else None)
    return RequestContext(request, app_state.site, session, app_state, auditor)


def is_the_link(service: StudioService, token: str) -> bool:
    """Return whether a token is that of the link which was printed, in a time that tells nothing about it."""
    return hmac.compare_digest(token.encode("utf-8", "surrogatepass"), service.token.encode())


def return_path(path: str) -> str:
    """Return a path that a change of language may lead back to."""
    return path if _RETURN.fullmatch(path) else "/"
