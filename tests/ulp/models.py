#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""models.py [ID ...] - compares the answers to `model=ID` with the model's own facts.

Takes the facts from core/models/*.json, computes frequencies and rows at positions 4095 and 100000
with mpmath from the parameters that stand there, and compares in float32 and float64 within the
bounds that the outputs state. Where the row of the encoding alone has a formula (methods of this
folder), the answer to model= must be that to the parameters, which the rows compare. The last line
is "N passed, N failed"."""

import glob
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from mpmath import mp, mpf  # noqa: E402

from formulas import biases  # noqa: E402
from formulas.numbers import EXACT  # noqa: E402
from formulas.rotary import LAYOUTS  # noqa: E402
from formulas.scalings import scaled  # noqa: E402
from golden.service import Refused, Service  # noqa: E402
from ladders import ladder, times  # noqa: E402
from measure import Case, limits, worst  # noqa: E402
from support.posencd import Posencd  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "proto", "models"))
import model_files  # noqa: E402

PLACES = [4095, 100000]
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), "core", "models")


def waves(rows, factor=1):
    return [[factor * mp.cos(a) for a in row] for row in rows]


def rotary_width(facts):
    if facts.get("scaling") == "proportional":
        return facts["dim"]
    share = mpf(repr(facts.get("partial_rotary_factor", 1)))
    return facts.get("rotary_dim") or int(mp.floor(facts["dim"] * share))


def choices(facts):
    """Parameters that a model leaves to the request: LongRoPE's list, the length of dynamic
    scaling."""
    if facts.get("scaling") == "longrope":
        return [{"longrope_list": "short"}, {"longrope_list": "long"}]
    if facts.get("scaling") == "dynamic" and facts.get("scaling_variant") != "alpha":
        return [{"seq_len": length * facts["max_position_embeddings"]} for length in (1, 4)]
    return [{}]


def rope(facts):
    for asked in choices(facts):
        freq, factor = scaled(EXACT, dict(facts, **asked), rotary_width(facts), facts["base"])
        yield Case("inv_freq", asked, freq)
        yield Case("cos", dict(asked, pos=PLACES), waves([times(p, freq) for p in PLACES], factor),
                   amplified=factor != 1)


def mrope(facts):
    freq, factor = scaled(EXACT, facts, rotary_width(facts), facts["base"])
    axis = LAYOUTS[facts.get("section_layout", "chunked")](facts["mrope_section"])
    places = [(p, p // 7, p // 11) for p in PLACES]
    yield Case("section_axis", {}, axis)
    yield Case("cos", dict(zip(("pos.t", "pos.h", "pos.w"), map(list, zip(*places)))),
               waves([[mpf(place[a]) * w for a, w in zip(axis, freq)] for place in places], factor))


def alibi(facts):
    yield Case("slopes", {}, biases.slopes(EXACT, facts))
    asked = {"q": [4095], "k": [0, 1, 4095]}
    yield Case("bias", asked, biases.alibi(EXACT, dict(facts, **asked)))


def llama4_temperature(facts):
    yield Case("factor", {"pos": PLACES}, [
        1 + mpf(repr(facts["attn_scale"])) * mp.log((p + 1) // facts["floor_scale"] + 1)
        for p in PLACES])


def rope2d_chatglm(facts):
    freq, block = ladder(facts.get("base", 10000), facts["dim"] // 2), [3, 77]
    yield Case("cos", {"pos": PLACES, "pos.block": block}, waves([
        times(p, freq) + times(b, freq) for p, b in zip(PLACES, block)]))


CHECKS = {"rope": rope, "mrope": mrope, "alibi": alibi, "rope2d-chatglm": rope2d_chatglm,
          "llama4-temperature": llama4_temperature}


def check_case(service, encoding, asked, case):
    """The faults of one answer."""
    bound = next(output["bound"] for output in service.encodings[encoding]["outputs"]
                 if output["name"] == case.out)
    params = dict(asked, **case.params, out=case.out)
    if case.out == "section_axis":
        served = service.array(encoding, params, None).tolist()
        return [] if served == case.exact else ["section_axis is %r" % served]
    faults = []
    for dtype in case.dtypes:
        away, index = worst(service.array(encoding, params, dtype), case, dtype)
        if away > limits(bound, case.amplified)[dtype]:
            faults.append("%s %s: %.4g ULP at element %d" % (case.out, dtype, away, index))
    return faults


def check_same(service, url, named_url):
    """The fault of an answer to model= that is not the answer to the parameters."""
    plain, named = (service._ask("GET", ask) for ask in (url, named_url))
    return [] if plain[1] == named[1] else ["%s is not %s" % (named_url, url)]


def check_use(service, model, use):
    encoding = use["encoding"]
    asked = {"model": model["id"], "layer_type": use["layer_type"] or "all_layers"}
    try:
        if encoding not in CHECKS:
            told = next(one for one in service.model(model["id"])["uses"]
                        if (one["encoding"], one.get("layer_type")) == (encoding, use["layer_type"]))
            return [fault for urls in zip(told["urls"], told["named_urls"])
                    for fault in check_same(service, *urls)]
        return [fault for case in CHECKS[encoding](use["parameters"])
                for fault in check_case(service, encoding, asked, case)]
    except Refused as refused:
        return [str(refused)]


def main():
    passed = failed = 0
    with Posencd() as server:
        service = Service(server.url)
        for model in model_files.read(sorted(glob.glob(os.path.join(FOLDER, "*.json")))):
            if sys.argv[1:] and model["id"] not in sys.argv[1:]:
                continue
            faults = [fault for use in model["uses"] if use["encoding"]
                      for fault in check_use(service, model, use)]
            for fault in faults:
                print("FAIL %s: %s" % (model["id"], fault))
            passed, failed = passed + (not faults), failed + bool(faults)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
