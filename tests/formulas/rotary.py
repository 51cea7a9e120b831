# SPDX-License-Identifier: Apache-2.0
"""rotary.py - which axis turns each pair, by the sections of an encoding of several axes; the scale of
xPos."""

from fractions import Fraction

from formulas.numbers import positions


def chunked(sections):
    return [axis for axis, count in enumerate(sections) for _ in range(count)]


def interleaved_axes(sections):
    pairs = sum(sections)
    return [1 if i % 3 == 1 and i < 3 * sections[1] else
            2 if i % 3 == 2 and i < 3 * sections[2] else 0 for i in range(pairs)]


def ernie(sections):
    """Sections H, W, T: rows and columns alternate, time has the slow pairs."""
    return [1, 2] * sections[0] + [0] * sections[2]


def videorope(sections):
    return [1, 2] * sections[1] + [0] * sections[0]


def openpangu(sections):
    """vLLM's second variant: each pair goes to the axis that is furthest behind, but not to the
    axis that got the last pair if another has pairs left; the very last pair is time's."""
    most, axis = [sections[0] - 1, sections[1], sections[2]], []
    placed = [0, 0, 0]
    while len(axis) < sum(sections) - 1:
        left = [a for a in range(3) if placed[a] < most[a] and axis[-1:] != [a]] or [axis[-1]]
        axis.append(min(left, key=lambda a: (Fraction(placed[a], most[a]), a)))
        placed[axis[-1]] += 1
    return axis + [0]


def leftover_axes(sections):
    """ggml's: a pair outside the thirds of a section is rotated by the fourth axis."""
    return [i % 3 if i < 3 * sections[i % 3] else 3 for i in range(sum(sections))]


LAYOUTS = {"chunked": chunked, "interleaved": interleaved_axes, "ernie": ernie, "xdrope": chunked,
         "videorope": videorope, "hope": videorope, "openpangu": openpangu}


def zeta(xp, dim, gamma):
    """xPos (Sun et al. 2022): (2i/r + gamma) / (1 + gamma) of each pair."""
    return (2 * xp.arange(dim // 2) / dim + xp.real(gamma)) / (1 + xp.real(gamma))


def xpos_scale(xp, p):
    """zeta^((p - centre) / scale_base), its inverse for keys, of each position and pair."""
    pos = xp.real(positions(p["pos"]))
    length = p.get("centre_len", int(max(pos)) + 1)
    centre = {"none": 0, "floor_half": length // 2, "torchscale": -(-length // 2)}[
        p.get("centre", "none")]
    power = (pos - centre) / p.get("scale_base", 512)
    return zeta(xp, p["dim"], p.get("zeta_gamma", 0.4)) ** (
        -power if p.get("downscale") else power)[:, None]
