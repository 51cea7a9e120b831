# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: the fixture `posenc_matches` is posenc.assert_matches with the service of
--posenc-url. A failure is reported as the verdict or the wrong claim alone, without the lines of this
package."""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any, Callable, Iterator, Optional

from .client import Client
from .errors import RequestError
from .matching import Mismatch, assert_matches

PACKAGE = os.path.dirname(os.path.abspath(__file__))
pytest: Any = importlib.import_module("pytest")  # this package does not need it, its types neither


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("posenc").addoption(
        "--posenc-url", metavar="URL", help="the posencd that judges tensors; by default $POSENC_URL, else "
                                            "the program posencd")


@pytest.fixture(scope="session")  # type: ignore[misc]
def posenc_client(request: Any) -> Iterator[Optional[Client]]:
    """The client of --posenc-url, for all tests; None where no URL is given."""
    url: Optional[str] = request.config.getoption("--posenc-url")
    if url is None:
        yield None
        return
    with Client(url) as client:
        yield client


@pytest.fixture  # type: ignore[misc]
def posenc_matches(posenc_client: Optional[Client]) -> Callable[..., Any]:
    """posenc.assert_matches: posenc_matches({"cos": cos}, model="llama-3.1-8b", pos=range(64))."""
    if posenc_client is None:
        return assert_matches
    return functools.partial(assert_matches, client=posenc_client)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    outcome = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, (Mismatch, RequestError)):
        report = outcome.get_result()
        theirs = [entry for entry in call.excinfo.traceback if os.path.dirname(str(entry.path)) != PACKAGE]
        place = "%s:%d: " % (theirs[-1].path, theirs[-1].lineno + 1) if theirs else ""
        report.longrepr = "%s%s" % (place, call.excinfo.value)
