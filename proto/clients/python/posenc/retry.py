# SPDX-License-Identifier: Apache-2.0
"""When a request is sent again. Every request is a pure function of what is sent, so that all of them may
be."""

from __future__ import annotations

import email.utils
import random
import socket
import ssl
import time
from typing import Mapping, Optional

STATUSES = (429, 502, 503, 504)  # overloaded, or a proxy whose service starts again
LONGEST_WAIT = 30.0  # seconds that Retry-After may ask for, and that the random part may have
FIRST_WAIT = 0.2  # seconds, of which a random part is waited; twice as many each time, up to LONGEST_WAIT


def wait(tried: int, headers: Mapping[str, str]) -> float:
    """The seconds before the next attempt: those that the service asks for, and a random part of a time
    that doubles, so that clients that were refused together do not come back together."""
    return _asked(headers.get("retry-after", "")) + random.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(tried, 16)))


def lasts(why: Optional[BaseException]) -> bool:
    """Whether another attempt fails like this one: a name has no address, or a certificate is not trusted.
    What sends a request may hide that in the cause of its error."""
    seen = set()
    while why is not None and id(why) not in seen:
        if isinstance(why, (socket.gaierror, ssl.SSLError)):
            return True
        seen.add(id(why))
        why = why.__cause__ or why.__context__
    return False


def _asked(text: str) -> float:
    """Retry-After: seconds or a date."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError, IndexError):
            return 0.0
    return min(LONGEST_WAIT, max(0.0, seconds))
