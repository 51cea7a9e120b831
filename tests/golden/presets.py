#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""presets.py - every model preset's inv_freq under profile=f32-pow, bit for bit.

    tests/golden/presets.py [--url URL] [--goldens DIR]

For each rotary use of each model of /v1/models: against the golden reference with the same
parameters where there is one, else against PyTorch running the recipe (recipes.py; Debian's
python3-torch). `miss` counts elements that differ with correctly rounded powers, `listed` those
of them that torch-inv-freq-exceptions.json names, `torch` what differs with powf=torch-avx2.
Where theta and width are in that file's range, a miss must be listed and torch must be 0;
elsewhere the counts are shown. The exit status is 0 if so."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import json  # noqa: E402

import numpy as np  # noqa: E402

import parity  # noqa: E402
import recipes  # noqa: E402
import rotary  # noqa: E402
from cases import read_index, ulps  # noqa: E402
from question import Tensor  # noqa: E402
from service import Service, arguments, served  # noqa: E402

ASKED = ("out", "dtype", "profile", "powf", "pairing", "width")
FORMAT = "%-28s %-10s %-12s %9s %5s  %-28s %5s %5s %6s %5s"


def canonical(service, params):
    """The parameters that decide the frequencies, as the answer states them."""
    echo = json.loads(service.ask("rope", dict(params, out="inv_freq", profile="f32-pow"))[1])
    return {name: value for name, value in echo["params"].items() if name not in ASKED}


def goldens(folder, service):
    """{canonical parameters: (case, inv_freq of the reference)}"""
    found = {}
    for case in read_index(folder):
        if case.method != "rope":
            continue
        case.open()
        question = rotary.rope(case).get("inv_freq")
        if question is not None:
            key = json.dumps(canonical(service, question.params), sort_keys=True)
            found[key] = case.id, case.output("inv_freq").reference
    return found


def uses(service):
    """(model, layer type, parameters that ask for its frequencies); two where lists differ."""
    for entry in json.loads(service._ask("GET", "/v1/models")[1])["models"]:
        model = json.loads(service._ask("GET", entry["url"])[1])
        for use in model["uses"]:
            if use["encoding"] != "rope":
                continue
            kind = use.get("layer_type", "")
            asked = {"model": entry["id"], **({"layer_type": kind} if kind else {})}
            scaling, variant, trained = (use["parameters"].get(name) for name in
                                         ("scaling", "scaling_variant", "max_position_embeddings"))
            if scaling == "dynamic" and variant != "alpha":  # the caller chooses the length
                yield entry["id"], "4 x M", dict(asked, seq_len=4 * trained)
            elif scaling == "longrope":
                for which in ("short", "long"):
                    yield entry["id"], which, dict(asked, longrope_list=which)
            else:
                yield entry["id"], kind.replace("_attention", ""), asked


def compare(service, asked, params, expected, exceptions):
    """(elements, misses, listed misses, misses with PyTorch's powers, whether all is explained)"""
    def apart(powf):
        ours = Tensor("rope", "inv_freq", dict(asked, powf=powf)).fetch(service, "f32", "f32-pow")
        return np.flatnonzero(ulps(ours, expected))
    miss, torch = apart("correct"), apart("torch-avx2")
    known = exceptions.get((float(params["base"]), params["rotary_dim"]))
    if params["scaling"] == "dynamic":  # another theta than base, which no list has
        known = None
    listed = [i for i in miss if known and int(i) in known]
    good = known is None or (len(listed) == len(miss) and len(torch) == 0)
    return expected.size, len(miss), len(listed), len(torch), good


def run(url, folder):
    service = Service(url)
    exceptions = parity.read_exceptions(folder, os.path.dirname(os.path.abspath(folder)),
                                        os.path.join(HERE, "cases"))
    known = goldens(folder, service)
    totals, bad, without = np.zeros(4, dtype=int), 0, []
    print(FORMAT % ("model", "layers", "scaling", "theta", "width", "against", "size", "miss",
                    "listed", "torch"))
    for model, kind, asked in uses(service):
        params = canonical(service, asked)
        case, expected = known.get(json.dumps(params, sort_keys=True), (None, None))
        if expected is None:
            try:
                case, expected = "torch", recipes.inv_freq(params)
            except (ImportError, recipes.NoRecipe) as reason:
                without.append("%s: %s" % (model, reason))
                continue
        *counts, good = compare(service, asked, params, expected, exceptions)
        totals, bad = totals + counts, bad + (not good)
        print(FORMAT % (model, kind, params["scaling"], "%g" % params["base"],
                        params["rotary_dim"], case, *counts) + ("" if good else "  BAD"))
    print(FORMAT % ("all", "", "", "", "", "", *totals))
    for line in without:
        print("not compared: " + line)
    print("%d presets are not as promised, %d not compared" % (bad, len(without)))
    return 1 if bad or without else 0


def main():
    options = arguments(__doc__, ("--goldens", {"default": os.path.join(HERE, "cases")}))
    return served(options, lambda url: run(url, options.goldens))


if __name__ == "__main__":
    sys.exit(main())
