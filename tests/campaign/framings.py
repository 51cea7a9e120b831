# SPDX-License-Identifier: Apache-2.0
"""framings.py - every wire case of tests/http, among them the 36 framings that decide whether a
request has one meaning: 33 are hostile, three are legal though ambiguous and are refused too."""

from test_wire import CASES, SMUGGLING, Talk, start
from wire_chunks import HOSTILE, LARGE

LEGAL = ("SMUG-CL-TRAILING-SPACE", "SMUG-TE-TRAILING-SPACE", "bare LF everywhere")


def refusable(name):
    """Whether its framing is wrong or too long, which must be answered at once."""
    return any(name.startswith("chunks: " + one) for one in [*HOSTILE, *LARGE])


def run(page, quick):
    del quick
    wrong, framed, refused = [], 0, 0
    chunked, ran, untold = 0, [], []
    server = start("2")  # a case that is not answered ends soon
    for name, parts, allowed in CASES:
        talk = Talk(server.address, parts)
        came = talk.outcome(allowed)
        talk.client.close()
        if name.startswith("chunks: "):
            chunked += 1
            if len([one for one in came.split() if one.isdigit()]) > 1:
                ran.append(name)
            if came not in allowed and refusable(name):
                untold.append("%s: %s" % (name, came))
        if came not in allowed:
            wrong.append("%s: %s" % (name, came))
        elif name in SMUGGLING:
            framed += 1
            refused += name not in LEGAL and (came[:1] in ("4", "5") or came == "close")
    server.stop()
    page.promise("wire cases", "%d, %d not as allowed" % (len(CASES), len(wrong)),
                 "each as allowed, >= 250", not wrong and len(CASES) >= 250, wrong)
    page.promise("framings that decide what a request means", "%d of %d as specified, %d of the "
                 "%d hostile ones refused" % (framed, len(SMUGGLING), refused,
                                              len(SMUGGLING) - len(LEGAL)),
                 "36, 33", framed == 36 and refused == 33)
    page.promise("chunked bodies with a request behind them", "%d, %d of the requests behind carried "
                 "out" % (chunked, len(ran)), "none", chunked >= 200 and not ran, ran)
    page.promise("of them malformed or too long", "%d taken, or ended without a status" %
                 len(untold), "none", not untold, untold)
