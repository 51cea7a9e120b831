#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""powf.py - where CPU PyTorch's vector powf is not correctly rounded, measured and compared.

    tests/golden/powf.py             core/math/number/torch_powf.def says what the list says
    tests/golden/powf.py --measure   and the list what this machine's PyTorch does (1.13, AVX-512)
    tests/golden/powf.py --write     measures, then writes the list and the table

The list is cases/torch-inv-freq-exceptions.json. Powers are theta^(2i/dim) in float32; the
correctly rounded ones come from mpmath. The last line is "N passed, N failed"."""

import argparse
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "cases", "torch-inv-freq-exceptions.json")
TABLE = os.path.join(HERE, "..", "..", "core", "math", "number", "torch_powf.def")
MACHINES = ("avx2", "avx512")
PRECISION = 120
# theta: the models that have it. Widths: heads, and the part of them that is rotated.
THETAS = [
    100.0,                # axial image models (RoPE-ViT, DINOv3)
    256.0,                # HunyuanVideo, Z-Image
    1000.0,               # nomic-bert
    10000.0, 20000.0, 25000.0, 40000.0, 50000.0, 100000.0,
    130000.0,             # SmolLM2-360M
    150000.0, 160000.0, 200000.0,
    250000.0,             # Phi-4, EuroBERT
    300000.0, 400000.0, 500000.0,
    600000.0,             # Ling
    640000.0,             # MiMo
    800000.0,             # Kimi-VL
    999999.4420358813,    # StarCoder2-3B
    1000000.0,
    1000042.0,            # Falcon 3
    1500000.0, 1600000.0, 2000000.0, 3000000.0,
    4000000.0,            # Command R 08-2024
    5000000.0, 6000000.0, 8000000.0, 10000000.0,
    11158840.0,           # Hunyuan
    12000000.0,
    50000000.0,           # InternLM 3
    75000000.0, 100000000.0,
    208533496.0,          # Grok-2
    283461213.0,          # Llama 3 262k
    1000000000.0,         # Pixtral, Mistral Small 3.1
    3580165449.0,         # Llama 3 1048k
    100000000000.0]
WIDTHS = [8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 100, 104, 112, 120,
          128, 144, 160, 176, 192, 208, 224, 256, 320, 384, 512]


# ---- measuring -----------------------------------------------------------------------------------


def rounded_powers(theta, exponents):
    """The correctly rounded float32 powers of float32(theta)."""
    import numpy as np
    from mpmath import mp, mpf
    mp.prec = PRECISION
    logarithm, powers = mp.log(mpf(float(np.float32(theta)))), []
    for exponent in exponents:
        exact = mp.exp(logarithm * mpf(float(exponent)))
        near = np.float32(float(exact))
        around = np.nextafter(near, np.float32(0)), near, np.nextafter(near, np.float32(np.inf))
        powers.append(min(around, key=lambda value: abs(mpf(float(value)) - exact)))
    return np.array(powers, dtype=np.float32)


def steps(one, two):
    """Float32 steps from the first to the second of two positive numbers."""
    return (two.view("int32").astype(int) - one.view("int32").astype(int)).tolist()


def measure_here():
    """[theta, dim, index, steps of the power, ulps of 1/power] of this process' PyTorch."""
    import numpy as np
    import torch
    torch.set_num_threads(1)
    if os.environ["ATEN_CPU_CAPABILITY"].upper() not in torch.__config__.show().split():
        sys.exit("powf: this machine has no " + os.environ["ATEN_CPU_CAPABILITY"])
    rows = []
    for theta in THETAS:
        for dim in WIDTHS:
            exponents = torch.arange(0, dim, 2, dtype=torch.int64).float() / dim
            powers, right = theta ** exponents, rounded_powers(theta, exponents.numpy())
            moved = steps(right, powers.numpy())
            ulps = steps(np.float32(1) / right, (1.0 / powers).numpy())
            rows += [[theta, dim, i, moved[i], ulps[i]] for i in range(dim // 2) if moved[i]]
    return rows


def measure():
    """The list, from a process for each machine."""
    found = {"description": "Elements of inv_freq = 1.0/(rope_theta**(arange(0,rotary_dim,2,float32)/rotary_dim)) "
                            "whose power PyTorch CPU (vectorised SLEEF powf) does not round correctly. power_steps "
                            "= float32 steps from the correctly rounded power p=powf(float32(theta),e), "
                            "e=float32(2i)/float32(dim), to torch's; delta_ulp = torch's 1.0f/p minus that of the "
                            "correct p in units of the last place. Everything not listed is bit-identical for the "
                            "tested thetas and dims.",
             "torch": "1.13.1 CPU; AVX2 vectorises blocks of 16 elements and uses libm powf for the rest, "
                      "AVX-512 blocks of 32",
             "tested_rope_theta": THETAS, "tested_rotary_dim": WIDTHS,
             "elements_tested": len(THETAS) * sum(WIDTHS) // 2}
    for machine in MACHINES:
        done = subprocess.run([sys.executable, os.path.abspath(__file__), "--here"], check=True, text=True,
                              capture_output=True, env=dict(os.environ, ATEN_CPU_CAPABILITY=machine))
        grouped = {}
        for theta, dim, index, moved, ulps in json.loads(done.stdout):
            row = grouped.setdefault((theta, dim), {"rope_theta": theta, "rotary_dim": dim, "index": [],
                                                    "delta_ulp": [], "power_steps": []})
            for name, value in (("index", index), ("delta_ulp", ulps), ("power_steps", moved)):
                row[name].append(value)
        found[machine] = list(grouped.values())
    return found


# ---- the list and the table ------------------------------------------------------------------------


def elements(table):
    """{(theta, dim, index): [steps with AVX2, with AVX-512]}"""
    found = {}
    for number, machine in enumerate(MACHINES):
        for row in table[machine]:
            for index, moved in zip(row["index"], row["power_steps"]):
                key = row["rope_theta"], row["rotary_dim"], index
                found.setdefault(key, [0, 0])[number] = moved
    return found


def read_table():
    """The same from the .def, with its bases and widths."""
    with open(TABLE, encoding="utf-8") as text:
        text = re.sub(r"/\*.*?\*/", "", text.read(), flags=re.DOTALL)
    numbers = {name: [tuple(map(float, row.split(","))) for row in re.findall(name + r"\(([^)]*)\)", text)]
               for name in ("BASE", "WIDTH", "AT")}
    rows = {(base, int(dim), int(index)): [int(avx2), int(avx512)]
            for base, dim, index, avx2, avx512 in numbers["AT"]}
    return [base for base, in numbers["BASE"]], [int(width) for width, in numbers["WIDTH"]], rows


HEAD = """/* Elements of theta^(2i/dim) that CPU PyTorch 1.13's vector powf (SLEEF, 1.0 ULP) does not round
 * correctly: theta, rotary_dim, index, and the float32 steps from the correct power to torch's with
 * AVX2 and with AVX-512. Measured at every BASE and every WIDTH; what is not listed there is
 * bit-identical. Sorted. Written by tests/golden/powf.py. */
"""


def spell(value):
    return next(text for text in ("%g" % value, repr(value)) if float(text) == value)


def packed(items, width=100):
    """The items on lines of at most that width."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 1 + len(item) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item
    return "\n".join(lines) + "\n"


def write(table):
    with open(LIST, "w", encoding="utf-8") as out:
        rows = {name: table[name] for name in MACHINES}
        head = json.dumps({name: value for name, value in table.items() if name not in rows}, indent=1)
        head = re.sub(r"\[\s+([^]]*?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m.group(1)) + "]", head)
        out.write(head[:-2] + "".join(
            ',\n "%s": [\n  %s\n ]' % (name, ",\n  ".join(json.dumps(row) for row in rows[name]))
            for name in MACHINES) + "\n}\n")
    found = sorted(elements(table).items())
    with open(TABLE, "w", encoding="utf-8") as out:
        out.write(HEAD + packed("BASE(%s)" % spell(theta) for theta in THETAS))
        out.write(packed("WIDTH(%d)" % width for width in WIDTHS))
        for theta in THETAS:
            out.write(packed("AT(%s, %d, %d, %d, %d)" % (spell(theta), *key[1:], *moved)
                             for key, moved in found if key[0] == theta))


def compare(measured):
    """How many of the comparisons hold."""
    with open(LIST, encoding="utf-8") as text:
        listed = json.load(text)
    bases, widths, rows = read_table()
    checks = {"the table has the list's elements": rows == elements(listed),
              "the table has the list's thetas": bases == listed["tested_rope_theta"],
              "the table has the list's widths": widths == listed["tested_rotary_dim"]}
    for machine in MACHINES if measured else ():
        checks["this PyTorch is the list's with " + machine] = measured[machine] == listed[machine]
    for sentence, good in checks.items():
        if not good:
            print("FAIL it is not so that " + sentence)
    good = sum(checks.values())
    print("%d passed, %d failed" % (good, len(checks) - good))
    return 0 if good == len(checks) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return print(json.dumps(measure_here()))
    measured = measure() if options.measure or options.write else None
    if options.write:
        write(measured)
    return compare(measured)


if __name__ == "__main__":
    sys.exit(main())
