# SPDX-License-Identifier: Apache-2.0
"""framings.py - every wire case of tests/http, and among them the 36 framings that decide whether
a request has one meaning: 33 are hostile, three legal though ambiguous, and we refuse those too."""

from test_wire import CASES, SMUGGLING, Servers, Talk

LEGAL = ("SMUG-CL-TRAILING-SPACE", "SMUG-TE-TRAILING-SPACE", "bare LF everywhere")


def run(page, quick):
    del quick
    wrong, framed, refused = [], 0, 0
    servers = Servers()
    for name, parts, allowed in CASES:
        talk = Talk(servers.address(name), parts)
        came = talk.outcome(allowed)
        talk.client.close()
        if came not in allowed:
            wrong.append("%s: %s" % (name, came))
        elif name in SMUGGLING:
            framed += 1
            refused += name not in LEGAL and came[:1] in ("4", "5")
    servers.stop()
    page.promise("wire cases", "%d, %d not as allowed" % (len(CASES), len(wrong)),
                 "each as allowed, >= 250", not wrong and len(CASES) >= 250, wrong)
    page.promise("framings that decide what a request means", "%d of %d as specified, %d of the "
                 "%d hostile ones refused" % (framed, len(SMUGGLING), refused,
                                              len(SMUGGLING) - len(LEGAL)),
                 "36, 33", framed == 36 and refused == 33)
