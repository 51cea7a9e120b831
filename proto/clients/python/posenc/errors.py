# SPDX-License-Identifier: Apache-2.0
"""What can go wrong: a request that is refused, and a service that does not answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a request, and what would be right."""

    parameter: str  # a parameter's name, or a JSON pointer into a body; "" where it is no single one
    detail: str
    hint: str = ""

    def __str__(self) -> str:
        text = ("%s %s" % (self.parameter, self.detail)).strip()
        return "%s (%s)" % (text, self.hint) if self.hint else text


class PosencError(Exception):
    """The base of all errors of this package."""


class RequestError(PosencError):
    """A request that was refused. `problems` has everything that is wrong with it, not the first
    thing alone; `status` is that of HTTP, and 400 for numbers that are computed in process; `kind` is
    the problem's path in the documentation, and `request_id` names the request in the service's log."""

    def __init__(self, status: int, title: str, problems: Sequence[Problem], kind: str = "",
                 request_id: str = "") -> None:
        self.status, self.title, self.problems = status, title, tuple(problems)
        self.kind, self.request_id = kind, request_id
        super().__init__("; ".join(str(problem) for problem in problems) or title)

    def __reduce__(self) -> Tuple[Any, ...]:
        """All of it, so that a process of a pool hands it over."""
        return type(self), (self.status, self.title, self.problems, self.kind, self.request_id)


class ServiceError(PosencError):
    """The service could not be reached, was too slow, or answered what this package cannot read."""


def of_answer(status: int, body: Mapping[str, Any]) -> RequestError:
    """The error that an RFC 9457 problem says. Where a gateway wrote it, `errors` may be anything."""
    listed = body.get("errors")
    problems: Tuple[Problem, ...] = tuple(
        Problem(one.get("parameter") or one.get("pointer") or "", one["detail"], one.get("hint", ""))
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and isinstance(one.get("detail"), str))
    detail: Optional[str] = body.get("detail")
    if not problems and detail:
        problems = (Problem("", detail),)
    return RequestError(status, body.get("title", ""), problems, body.get("type", ""),
                        body.get("request_id", ""))
