# SPDX-License-Identifier: Apache-2.0
"""test_rope.py - for pytest: the port's tables are right, as a running posencd judges them.

    POSENCD_URL=http://localhost:8080 pytest test_rope.py"""

import io
import json
import os
import urllib.request

import numpy as np

import rope_port

URL = os.environ.get("POSENCD_URL", "http://localhost:8080")


def verify(claim, **tensors):
    """The verdict on tensors by their names."""
    body = io.BytesIO()
    np.savez(body, **tensors)
    request = urllib.request.Request(URL + "/v1/verify?" + claim, data=body.getvalue(),
                                     headers={"Content-Type": "application/x-npz"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def assert_right(verdict):
    repairs = ["%s: %s -> %s" % (change["parameter"], change["found"], change["expected"])
               for mistake in verdict["mistakes"] for change in mistake["repair"]]
    assert verdict["verdict"] in ("exact", "profile"), "; ".join([verdict["says"]] + repairs)


def test_the_tables_are_those_of_the_model():
    cos, sin = rope_port.tables(256)
    assert_right(verify("encoding=rope&model=llama-3.1-8b&pos=0:256", cos=cos, sin=sin))


def test_the_frequencies_are_those_of_the_model():
    inv_freq = rope_port.inverse_frequencies().astype(np.float32)
    assert_right(verify("encoding=rope&model=llama-3.1-8b", inv_freq=inv_freq))
