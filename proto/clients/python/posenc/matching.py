# SPDX-License-Identifier: Apache-2.0
"""Assertions about the numbers of a program, for tests: whether they are those of a model or an encoding,
and if not, which fault of the code explains them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import calls
from .client import Client
from .errors import Problem, RequestError, ServiceError
from .foreign import is_tensor

RIGHT = ("exact", "profile")
Named = Union[Mapping[str, Any], Any]


class Mismatch(AssertionError):
    """Numbers that are not right. `verdict` is the whole answer of verify; the text says what is wrong, where,
    and what repairs it."""

    def __init__(self, verdict: Mapping[str, Any]) -> None:
        self.verdict = dict(verdict)
        super().__init__(told(verdict))

    def __reduce__(self) -> Any:
        return Mismatch, (self.verdict,)


def assert_matches(tensors: Named, *, atol: Optional[float] = None, rtol: Optional[float] = None,
                   client: Optional[Client] = None, **claim: Any) -> Dict[str, Any]:
    """Raises Mismatch unless tensors are right:

        posenc.assert_matches({"cos": cos, "sin": sin}, model="llama-3.1-8b", pos=range(4096))
        posenc.assert_matches(bias, encoding="alibi", heads=8, len=16, tensor="bias")

    tensors  arrays by the names that your program has, or one array with tensor= as its name; of NumPy,
             PyTorch, or any library that has __array__ or __dlpack__
    claim    what they should be: model=, config= (a dict), encoding= and its parameters
    atol, rtol  how far an element may be from the right one
    client   the service to ask; by default the one at $POSENC_URL, else the program posencd, at $POSENCD or
             in the PATH, which needs no service

    Returns the answer about right tensors; what their arithmetic costs is a warning. RequestError: the claim
    cannot be read."""
    __tracebackhide__ = True
    if not is_tensor(tensors) and not tensors:
        raise ValueError("there is no tensor to judge: give arrays by name, as {\"cos\": cos}")
    if is_tensor(tensors):
        tensors = {str(claim.pop("tensor", "")): tensors}
    for name, value in (("atol", atol), ("rtol", rtol)):
        if value is not None:
            claim[name] = value
    if isinstance(claim.get("config"), Mapping):
        claim["config"] = json.dumps(claim["config"])
    verdict = judge(tensors, claim, client)
    if not is_right(verdict):
        raise Mismatch(verdict)
    for text in verdict.get("warnings", ()):
        warnings.warn(text, stacklevel=2)
    return verdict


def is_right(verdict: Mapping[str, Any]) -> bool:
    """Whether an answer of verify means right numbers: exact, rounded like known arithmetic, or close within
    the tolerance."""
    return verdict.get("verdict") in RIGHT or (
        verdict.get("verdict") == "close" and bool(verdict.get("tolerance_holds")))


def judge(tensors: Mapping[str, Any], claim: Mapping[str, Any], client: Optional[Client]) -> Dict[str, Any]:
    """The answer of verify, from a service or from the program."""
    program = os.environ.get("POSENCD") or shutil.which("posencd")
    if client is None and not os.environ.get("POSENC_URL") and program:
        return _by_program(program, tensors, claim)
    if client is not None:
        return client.verify(tensors, **claim)
    with Client() as found:
        return found.verify(tensors, **claim)


def _by_program(program: str, tensors: Mapping[str, Any], claim: Mapping[str, Any]) -> Dict[str, Any]:
    config = claim.get("config")
    texts, pieces, _ = calls.judged(tensors, {name: claim[name] for name in claim if name != "config"})
    with tempfile.TemporaryDirectory(prefix="posenc-") as folder:
        path = os.path.join(folder, "tensors")
        with open(path, "wb") as file:
            file.writelines(pieces)
        words = ["%s=%s" % one for one in texts.items()]
        if config is not None:  # a word with : and = is a file and its role
            words += ["--config", os.path.join(folder, "config.json")]
            with open(words[-1], "wb") as file:
                file.write(config.encode())
        done = subprocess.run([program, "verify", path, *words, "--json"], capture_output=True, check=False)
    try:
        answer: Dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise ServiceError("%s verify ended with %d: %s" % (
            program, done.returncode, done.stderr.decode("utf-8", "replace").strip())) from None
    if "error" in answer:
        raise RequestError(400, "verify", [
            Problem(one.get("parameter", ""), one["detail"], one.get("hint", ""))
            for one in answer["error"]["problems"]])
    return answer


# ---- what is told ------------------------------------------------------------------------------------

def told(verdict: Mapping[str, Any]) -> str:
    """A verdict as lines for people."""
    lines = ["%s: %s" % (verdict.get("verdict"), verdict.get("says"))]
    for tensor in verdict.get("tensors", ()):
        if tensor.get("verdict") not in (None, "exact"):
            lines.append("  %s %s %s: %s" % (tensor["name"] or tensor.get("role"), tensor["dtype"],
                                             tensor["shape"], _where(tensor)))
    lines += ["  warning: %s" % text for text in verdict.get("warnings", ())]
    for mistake in verdict.get("mistakes", ()):
        if len(verdict["mistakes"]) > 1:
            lines.append("  %s" % mistake["says"])
        lines += ["  %-5s %s" % (name + ":", mistake[name]) for name in ("fix", "code", "page")
                  if mistake.get(name)]
    if verdict.get("url"):
        lines.append("  right: %s" % verdict["url"])
    return "\n".join(lines)


def _where(tensor: Mapping[str, Any]) -> str:
    if not tensor.get("differs"):
        return "another shape"
    text = "%d of %d elements differ, first %s, by %s at most at %s" % (
        tensor["differs"], tensor["of"], tensor["first"], _short(tensor["max_abs"]), tensor["max_abs_at"])
    where = tensor.get("where", {})
    parts = ["%s %s" % (kind, _runs(where[kind])) for kind in ("rows", "pairs", "columns")
             if 0 < len(where.get(kind, ())) <= 3 and not where.get("more_" + kind)]
    return text + (" (%s)" % ", ".join(parts) if parts else "")


def _short(number: Union[float, str]) -> str:
    return number if isinstance(number, str) else "%.3g" % number


def _runs(runs: Sequence[Sequence[int]]) -> str:
    texts: List[str] = ["%d:%d" % (first, end) for first, end in runs]
    return " and ".join(texts)
