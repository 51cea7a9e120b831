# SPDX-License-Identifier: Apache-2.0
"""parity.py - "the same as Hugging Face": profile=f32-pow against the float32 reference.

For llama.cpp: profile=f32-acc against ggml's tables, which glibc's cosf and sinf made.

Our recipe has correctly rounded functions where PyTorch uses SLEEF's, so a few elements of
inv_freq may differ. Which ones is known: the case's float32_parity lists their indices, and
torch-inv-freq-exceptions.json says by how much. Everything else must be equal bit for bit;
cos and sin of equal frequencies within the ulp that separates any two float32 libraries."""

import json
import os

import numpy as np

from cases import ulps
from question import Tensor

NAME = "torch-inv-freq-exceptions.json"


def read_exceptions(*folders):
    """{(theta, rotary_dim): {index: ulps}} of the AVX2 build that made the references, and the
    pairs (theta, rotary_dim) that were tested at all."""
    path = next(path for path in (os.path.join(folder, NAME) for folder in folders)
                if os.path.exists(path))
    with open(path, encoding="utf-8") as text:
        table = json.load(text)
    found = {(float(theta), dim): {} for theta in table["tested_rope_theta"]
             for dim in table["tested_rotary_dim"]}
    for row in table["avx2"]:
        found[(float(row["rope_theta"]), row["rotary_dim"])] = dict(
            zip(row["index"], row["delta_ulp"]))
    return found


def check(case, questions, service, exceptions):
    """Sentences about broken promises."""
    if case.method == "rope_ggml":
        return check_chain(case, questions, service)
    if case.parity is None or "inv_freq" not in questions:
        return []
    ours = questions["inv_freq"].fetch(service, "f32", "f32-pow")
    reference = case.output("inv_freq").reference
    if ours.shape != reference.shape:
        return ["f32-pow inv_freq: shape %s, expected %s" % (ours.shape, reference.shape)]
    apart = ulps(ours, reference)
    faults = check_frequencies(case, questions["inv_freq"].params, apart, exceptions)
    faults += check_torch(questions["inv_freq"], service, reference, exceptions)
    for name in ("cos", "sin"):
        if name in questions:
            table = questions[name].fetch(service, "f32", "f32-pow")
            faults += check_table(case, name, questions[name].params["pos"], table,
                                  ours, reference)
    return faults


def check_frequencies(case, params, apart, exceptions):
    """Only listed elements differ, and each by what the list says."""
    faults = []
    listed = set(case.parity["inv_freq_mismatch_indices"])
    differing = {int(i) for i in np.flatnonzero(apart)}
    if differing - listed:
        faults.append("f32-pow inv_freq differs from the reference at %s, by %s ulp" % (
            sorted(differing - listed), [int(apart[i]) for i in sorted(differing - listed)]))
    if differing and int(np.abs(apart).max()) > case.parity["inv_freq_max_ulp"]:
        faults.append("f32-pow inv_freq is up to %d ulp off" % np.abs(apart).max())
    known = exceptions.get((float(params["base"]), 2 * apart.size))
    if case.variant == "default" and known is not None:
        wrong = {i: int(apart[i]) for i in range(apart.size) if apart[i] != known.get(i, 0)}
        if wrong:
            faults.append("f32-pow inv_freq: ulps to the reference %s, the exceptions say %s" %
                          (wrong, known))
    return faults


def check_torch(question, service, reference, exceptions):
    """powf=torch-avx2 leaves no difference where the theta that the ladder uses was measured."""
    if (theta_of(question.params), 2 * reference.size) not in exceptions:
        return []
    torch = Tensor("rope", "inv_freq", dict(question.params, powf="torch-avx2"))
    apart = ulps(torch.fetch(service, "f32", "f32-pow"), reference)
    if not apart.any():
        return []
    return ["powf=torch-avx2 is not the reference's inv_freq: ulps %s" % {
        int(i): int(apart[i]) for i in np.flatnonzero(apart)}]


def theta_of(params):
    """The base, unless the scaling uses another one, which was not measured."""
    changed = (params.get("scaling") in ("ntk", "dynamic") or
               params.get("scaling_variant") == "part-ntk")
    return None if changed else float(params["base"])


def check_chain(case, questions, service):
    """Equal but for glibc's last bit, in at most one element of fifty: one ulp, or two where
    the rounded value was multiplied once more."""
    faults = []
    for name in ("cos", "sin"):
        if name not in questions:
            continue
        asked = questions[name].params
        steps = 1 if asked.get("ext_factor", 0) == 0 and asked.get("attn_factor", 1) == 1 else 2
        ours = questions[name].fetch(service, "f32", "f32-acc")
        apart = np.abs(ulps(ours, case.output(name).reference))
        if apart.max() > steps or np.count_nonzero(apart) > apart.size / 50:
            faults.append("f32-acc %s: %d of %d elements differ from ggml's, by up to %d ulp" % (
                name, np.count_nonzero(apart), apart.size, apart.max()))
    return faults


def check_table(case, name, positions, table, ours, reference):
    """Within table_max_ulp where the frequencies are equal; elsewhere the angle differs by
    position * (the frequencies' difference), and the table by no more than that in addition."""
    expected = case.output(name).reference
    if table.shape != expected.shape:
        return ["f32-pow %s: shape %s, expected %s" % (name, table.shape, expected.shape)]
    steps = case.parity["table_max_ulp"]
    near = np.abs(ulps(table, expected)) <= steps
    turn = np.abs(np.outer(np.asarray(positions, dtype=np.float64),
                           ours.astype(np.float64) - reference.astype(np.float64)))
    # The two float32 products are rounded differently too: half an ulp of each angle.
    angle = np.abs(np.outer(np.asarray(positions, dtype=np.float64), reference))
    allowed = (turn + angle * 2.0 ** -23 + steps * 2.0 ** -23) * (turn > 0)
    wrong = ~near & ~(np.abs(table.astype(np.float64) - expected) <= allowed)
    if not wrong.any():
        return []
    first = [int(i) for i in np.argwhere(wrong)[0]]
    return ["f32-pow %s: %d of %d elements are over %d ulp from the reference, first %s" % (
        name, wrong.sum(), wrong.size, steps, first)]
