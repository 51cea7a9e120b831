# SPDX-License-Identifier: Apache-2.0
"""test_matching.py - assertions about numbers in people's tests: arrays of any library, by a service or
the program; models that are captured while they run; the plugin of pytest."""

import importlib.util
import json
import os
import pickle
import struct
import subprocess
import sys
import tempfile
import unittest
import weakref
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))]
sys.dont_write_bytecode = True

from python.structures import library  # noqa: E402, found by the lines above
from support.posencd import ROOT, Posencd, binary  # noqa: E402

PACKAGE = os.path.join(ROOT, "build", "clients", "python")
sys.path.insert(0, PACKAGE)

import posenc  # noqa: E402, made by `make clients`

CLAIM = {"encoding": "rope", "dim": 16, "base": 500000, "pos": range(12)}


def table(base=500000.0, length=12, dim=16):
    angle = np.outer(np.arange(length), base ** (-np.arange(0, dim, 2) / dim))
    angle = np.concatenate([angle, angle], -1)
    return {"cos": np.cos(angle).astype(np.float32), "sin": np.sin(angle).astype(np.float32)}


class ByArray:
    """What a library has that knows __array__ alone."""

    def __init__(self, array):
        self._array = array

    def __array__(self, *given, **named):
        return self._array


class ByDlpack:
    """What a library has that knows __dlpack__ alone."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **named):
        return self._array.__dlpack__(**named)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class ByProgram(unittest.TestCase):
    """The program judges where no service is named."""

    def setUp(self):
        changed = mock.patch.dict(os.environ, POSENCD=binary())
        changed.start()
        self.addCleanup(changed.stop)
        os.environ.pop("POSENC_URL", None)


class Matching(ByProgram):
    def test_right_numbers_pass_and_the_answer_is_returned(self):
        self.assertIn(posenc.assert_matches(table(), **CLAIM)["verdict"], ("exact", "profile"))

    def test_wrong_numbers_fail_with_the_fault_and_its_repair(self):
        with self.assertRaises(posenc.Mismatch) as caught:
            posenc.assert_matches(table(10000.0), **CLAIM)
        lines = str(caught.exception).splitlines()
        self.assertEqual(lines[0], "mistake: cos and sin: the frequencies have base 10000 where 500000 is "
                                   "right")
        self.assertRegex(lines[1], r"^  cos f32 \[12, 16\]: \d+ of 192 elements differ, first \[1, 1\], by "
                                   r"[\d.]+ at most at \[.*\] \(rows 1:12, pairs 1:8\)$")
        self.assertIn("  fix:  set base (rope_theta) to 500000 in place of 10000", lines)
        self.assertIn("  page: /docs/verify/parameter", lines)
        self.assertEqual(caught.exception.verdict["mistakes"][0]["mistake"], "base")
        self.assertIsInstance(caught.exception, AssertionError)

    def test_arrays_are_those_of_any_library(self):
        for of in (np.asarray, np.ndarray.tolist, ByArray, ByDlpack):
            right = {name: of(array) for name, array in table().items()}
            if of is np.ndarray.tolist:
                right = {name: np.asarray(array, np.float64).tolist() for name, array in right.items()}
            self.assertTrue(posenc.assert_matches(right, **CLAIM), of)
            with self.assertRaises(posenc.Mismatch):
                posenc.assert_matches({name: of(array) for name, array in table(10000.0).items()}, **CLAIM)

    def test_one_array_needs_no_mapping(self):
        posenc.assert_matches(table()["cos"], tensor="cos", **CLAIM)
        posenc.assert_matches(ByDlpack(table()["cos"]), tensor="cos", **CLAIM)

    def test_words_of_16_bits_are_bfloat16(self):
        words = {name: posenc.float32_to_bfloat16(array) for name, array in table().items()}
        self.assertEqual(posenc.assert_matches(words, **CLAIM)["tensors"][0]["dtype"], "bf16")

    def test_a_tolerance_makes_what_is_close_right(self):
        noise = 1e-4 * np.random.default_rng(0).standard_normal((12, 16)).astype(np.float32)
        near = {name: array + noise for name, array in table().items()}
        with self.assertRaises(posenc.Mismatch):
            posenc.assert_matches(near, **CLAIM)
        posenc.assert_matches(near, atol=1e-3, **CLAIM)

    def test_what_arithmetic_costs_is_a_warning(self):
        angle = np.outer(np.arange(10**6, 10**6 + 12, dtype=np.float32),
                         (1 / np.float32(10000) ** (np.arange(0, 16, 2, dtype=np.float32) / 16)))
        with self.assertWarnsRegex(UserWarning, "this arithmetic is off by"):
            posenc.assert_matches({"cos": np.cos(angle)}, encoding="rope", dim=16,
                                  pos=range(10**6, 10**6 + 12))

    def test_a_configuration_is_a_claim(self):
        config = {"model_type": "llama", "hidden_size": 32, "num_attention_heads": 2, "rope_theta": 500000.0}
        posenc.assert_matches(table(), config=config, pos=range(12))
        with self.assertRaises(posenc.Mismatch):
            posenc.assert_matches(table(10000.0), config=config, pos=range(12))

    def test_a_configuration_may_have_any_text(self):
        config = {"model_type": "llama", "hidden_size": 32, "num_attention_heads": 2, "rope_theta": 500000.0,
                  "chat_template": "{{ a:b = 'c' }}\n"}
        posenc.assert_matches(table(), config=config, pos=range(12))

    def test_a_configuration_may_be_longer_than_a_query(self):
        config = {"model_type": "llava", "image_grid_pinpoints": [[336, 672]] * 2000, "text_config": {
            "model_type": "llama", "hidden_size": 32, "num_attention_heads": 2, "rope_theta": 500000.0}}
        with Posencd() as server, posenc.Client(server.url) as client:
            for way in ({}, {"client": client}):
                posenc.assert_matches(table(), config=config, **way)
                with self.assertRaisesRegex(posenc.Mismatch, "base"):
                    posenc.assert_matches(table(10000.0), config=config, pos=range(12), **way)

    def test_a_long_configuration_may_be_beside_an_encoding(self):
        config = {"model_type": "llava", "image_grid_pinpoints": [[336, 672]] * 2000, "text_config": {
            "model_type": "llama", "hidden_size": 32, "num_attention_heads": 2, "rope_theta": 500000.0}}
        claim = {"encoding": "rope", "config": config, "pos": range(12)}
        with Posencd() as server, posenc.Client(server.url) as client:
            for way in ({}, {"client": client}):
                posenc.assert_matches(table(), **claim, **way)
                posenc.assert_matches(table()["cos"], **claim, **way)
                posenc.assert_matches(table()["cos"], tensor="cos", **claim, **way)
                with self.assertRaisesRegex(posenc.Mismatch, "base"):
                    posenc.assert_matches(table(10000.0)["cos"], **claim, **way)

    def test_a_long_list_may_be_a_part_of_a_claim(self):
        factors = np.random.default_rng(3).uniform(1, 2, 500)
        angle = np.outer(np.arange(64), 10000.0 ** (-np.arange(0, 1000, 2) / 1000) / factors)
        claim = {"encoding": "rope", "dim": 1000, "scaling": "ggml", "freq_factors": factors,
                 "pos": range(64)}
        with Posencd() as server, posenc.Client(server.url) as client:
            for way in ({}, {"client": client}):
                posenc.assert_matches(np.cos(angle), **claim, **way)
                with self.assertRaises(posenc.Mismatch):
                    posenc.assert_matches(np.cos(angle[::-1]), **claim, **way)

    def test_a_tensor_is_needed(self):
        with self.assertRaisesRegex(ValueError, "there is no tensor to judge"):
            posenc.assert_matches({}, encoding="rope", dim=4)

    def test_positions_may_be_too_many_for_a_word(self):
        pos = np.random.default_rng(2).permutation(100000)[:40000]
        angle = np.outer(pos, 10000.0 ** (-np.arange(0, 4, 2) / 4))
        right = {"cos": np.cos(angle), "sin": np.sin(angle)}
        posenc.assert_matches(right, encoding="rope", dim=4, pos=pos)
        posenc.assert_matches(right, encoding="rope", dim=4, pos=pos.tolist())
        with self.assertRaises(posenc.Mismatch):
            posenc.assert_matches(right, encoding="rope", dim=4, pos=pos[::-1])

    def test_one_array_may_have_no_name(self):
        cos = table()["cos"]
        self.assertEqual(posenc.assert_matches(cos, **CLAIM)["tensors"][0]["role"], "cos")
        self.assertEqual(posenc.assert_matches(posenc.float32_to_bfloat16(cos), **CLAIM)["tensors"][0]["dtype"],
                         "bf16")
        with self.assertRaises(posenc.Mismatch) as caught:
            posenc.assert_matches(table(10000.0)["cos"], **CLAIM)
        self.assertNotIn("/tmp", str(caught.exception))
        server = Posencd()
        try:
            with posenc.Client("http://127.0.0.1:%d" % server.port) as client:
                posenc.assert_matches(cos, client=client, **CLAIM)
        finally:
            server.stop()

    def test_a_mismatch_may_be_sent_to_another_process(self):
        with self.assertRaises(posenc.Mismatch) as caught:
            posenc.assert_matches(table(10000.0), **CLAIM)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertIsInstance(again, posenc.Mismatch)
        self.assertEqual((str(again), again.verdict), (str(caught.exception), caught.exception.verdict))

    def test_a_model_is_a_claim(self):
        with self.assertRaises(posenc.Mismatch):
            posenc.assert_matches(table(10000.0, dim=128), model="llama-3-8b", pos=range(12))

    def test_a_claim_that_cannot_be_read_is_no_mismatch(self):
        with self.assertRaisesRegex(posenc.RequestError, "dmi unknown parameter of rope") as caught:
            posenc.assert_matches(table(), **CLAIM, dmi=1)
        self.assertEqual(caught.exception.problems[0].hint, "did you mean dim?")

    def test_a_program_that_answers_nothing_is_no_service(self):
        with mock.patch.dict(os.environ, POSENCD="/bin/false"):
            with self.assertRaisesRegex(posenc.ServiceError, "/bin/false verify ended with 1"):
                posenc.assert_matches(table(), **CLAIM)

    def test_a_service_gives_the_same_verdict(self):
        with self.assertRaises(posenc.Mismatch) as caught:
            posenc.assert_matches(table(10000.0), **CLAIM)
        server = Posencd()
        try:
            url = "http://127.0.0.1:%d" % server.port
            with posenc.Client(url) as client, self.assertRaises(posenc.Mismatch) as other:
                posenc.assert_matches(table(10000.0), client=client, **CLAIM)
            with mock.patch.dict(os.environ, POSENC_URL=url, POSENCD="/bin/false"):
                posenc.assert_matches(table(), **CLAIM)
        finally:
            server.stop()
        self.assertEqual(other.exception.verdict, caught.exception.verdict)


class Structures(ByProgram):
    """Modules in the structure of transformers' models, by the stand-in and by PyTorch."""

    LENGTH = 12
    # The mistake of a structure: what is judged, and the names that verify may give it; None: any, but
    # the numbers are not right.
    LLAMA = {"base": ("tables", {"base"}), "offset": ("tables", {"position-offset"}),
             "half-filled": ("tables", {"unfilled-rows"}), "chunks": ("tables", {"packing-ignored"}),
             "no-minus": ("vectors", None), "pairing": ("vectors", {"pairing"}),
             "bf16": ("vectors", {"tables-bf16"}), "decode": ("tables", None), "wraps": ("tables", None)}
    PARTIAL = {"whole-head": ("vectors", {"rotary_dim", "partial_rotary_factor"}),
               "wrong-part": ("vectors", None), "exponent": ("tables", {"exponent-dim", "base"})}
    CLAIMS = {"tables": {"encoding": "rope"}, "vectors": {"encoding": "rope/apply", "pairing": "half"}}

    @classmethod
    def setUpClass(cls):
        made = [("stand-in", library.StandIn), ("torch", library.of_torch())]
        cls.loaded = [(name, ops, library.load(ops, "layers_" + name.replace("-", "_")))
                      for name, ops in made if ops is not None]

    def captured(self, ops, model, columns, path=None, **named):
        hidden = ops.tensor(np.random.default_rng(7).standard_normal((1, self.LENGTH, columns)))
        with posenc.capture(model, path, **named) as seen:
            model(hidden)
        return seen

    def judge(self, seen, layers, what, **more):
        claim = {"dim": layers.HEAD_DIM, "base": layers.BASE, "pos": range(self.LENGTH), **self.CLAIMS[what],
                 **more}
        part = seen.part("rotary_emb" if what == "tables" else "layers.0")
        wanted = ("cos", "sin") if what == "tables" else ("q", "q_rot", "k", "k_rot")
        return posenc.assert_matches({name: part[name] for name in wanted}, **claim)

    def test_a_right_llama_is_right(self):
        for _, ops, layers in self.loaded:
            seen = self.captured(ops, layers.Llama(), 32)
            self.assertEqual(list(seen), [
                "layers.0.position_ids", "layers.0.rotary_emb.cos", "layers.0.rotary_emb.sin",
                "layers.0.q", "layers.0.q_rot", "layers.0.k", "layers.0.k_rot",
                "layers.1.rotary_emb.cos", "layers.1.rotary_emb.sin"])
            for what in self.CLAIMS:
                self.judge(seen, layers, what)

    def test_each_mistake_of_a_llama_is_found(self):
        for library_name, ops, layers in self.loaded:
            for broken, (what, slugs) in self.LLAMA.items():
                with self.subTest(library_name + " " + broken):
                    seen = self.captured(ops, layers.Llama(broken), 32)
                    first = layers.WRAPS_AT - 6 if broken == "wraps" else 0
                    with self.assertRaises(posenc.Mismatch) as caught:
                        self.judge(seen, layers, what, pos=range(first, first + self.LENGTH))
                    names = {mistake["mistake"] for mistake in caught.exception.verdict["mistakes"]}
                    self.assertTrue(slugs is None or names <= slugs and names, str(caught.exception))

    def test_a_head_of_which_a_part_turns(self):
        for library_name, ops, layers in self.loaded:
            claim = {"rotary_dim": layers.ROTARY_DIM}
            seen = self.captured(ops, layers.PartialLlama(), 32)
            self.judge(seen, layers, "tables", **claim)
            self.judge(seen, layers, "vectors", **claim)
            for broken, (what, slugs) in self.PARTIAL.items():
                with self.subTest(library_name + " " + broken):
                    seen = self.captured(ops, layers.PartialLlama(broken), 32)
                    with self.assertRaises(posenc.Mismatch) as caught:
                        self.judge(seen, layers, what, **claim)
                    names = {mistake["mistake"] for mistake in caught.exception.verdict["mistakes"]}
                    self.assertTrue(slugs is None or names <= slugs and names, str(caught.exception))

    def test_gemma_3_has_two_tables_and_a_window(self):
        for _, ops, layers in self.loaded:
            for broken, wrong in (
                    (None, ()), ("unscaled", ("full_attention",)), ("window", ("layers.0",))):
                seen = self.captured(ops, layers.Gemma3(broken), 32)
                mask = seen["layers.0.attention_mask"]
                self.assertEqual(mask.shape, (1, 1, self.LENGTH, self.LENGTH))
                at = {"dim": layers.HEAD_DIM, "pos": range(self.LENGTH), "encoding": "rope"}
                for path, claim in (
                        ("full_attention", {**at, "base": layers.GLOBAL_BASE, "scaling": "linear",
                                            "factor": layers.FACTOR}),
                        ("sliding_attention", {**at, "base": layers.LOCAL_BASE}),
                        ("layers.0", {"encoding": "sliding-window-mask", "window": layers.WINDOW,
                                      "len": self.LENGTH})):
                    names = ("cos", "sin") if path != "layers.0" else ("attention_mask",)
                    part = {name: seen.part(path)[name] for name in names}
                    if path in wrong:
                        with self.assertRaises(posenc.Mismatch, msg=(broken, path)):
                            posenc.assert_matches(part, **claim)
                    else:
                        posenc.assert_matches(part, **claim)

    def test_deepseek_v3_has_yarn(self):
        for _, ops, layers in self.loaded:
            claim = {"encoding": "rope", "dim": layers.ROPE_DIM, "scaling": "yarn", "pos": range(self.LENGTH),
                     **layers.YARN}
            for broken in (None, "attention-factor", "betas", "truncate"):
                seen = self.captured(ops, layers.DeepseekV3(broken), 128)
                self.assertIn("self_attn.q_rot", seen)
                tables = {name: seen.part("rotary_emb")[name] for name in ("cos", "sin")}
                if not broken:
                    posenc.assert_matches(tables, **claim)
                    continue
                with self.assertRaises(posenc.Mismatch) as caught:
                    posenc.assert_matches(tables, **claim)
                if broken == "attention-factor":
                    self.assertIn("YaRN's attention factor 1.3689 (= 0.1 ln 40 + 1) is missing",
                                  str(caught.exception))

    def test_a_file_that_torch_wrote_is_read(self):
        for torch in [importlib.import_module("torch")] if len(self.loaded) > 1 else ():
            angle = torch.outer(torch.arange(12.0), 10000.0 ** (-torch.arange(0, 16, 2) / 16))
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "tables.pt")
                torch.save({"cos": angle.cos(), "deep": [{"sin": angle.sin()}]}, path)
                done = subprocess.run([binary(), "verify", path, "encoding=rope", "dim=16"], check=False,
                                      capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("deep.0.sin  f32 12x8", done.stdout)

    def test_a_file_has_what_was_seen_and_the_configuration(self):
        for _, ops, layers in self.loaded:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "seen.safetensors")
                seen = self.captured(ops, layers.Llama(), 32, path)
                with open(path, "rb") as file:
                    head = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
                self.assertEqual(json.loads(head.pop("__metadata__")["config"])["rope_theta"], layers.BASE)
                self.assertEqual(list(head), list(seen))
                done = subprocess.run([binary(), "verify", path + ":layers.0.rotary_emb.cos", "encoding=rope",
                                       "dim=16", "base=500000"], capture_output=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_model_is_as_it_was_afterwards(self):
        for _, ops, layers in self.loaded:
            model = layers.Llama()
            before = layers.apply_rotary_pos_emb
            with self.assertRaises(ZeroDivisionError), posenc.capture(model, "/no/such/file"):
                raise ZeroDivisionError
            self.assertIs(layers.apply_rotary_pos_emb, before)
            self.assertFalse(any("forward" in vars(module) for _, module in model.named_modules()))

    def test_a_capture_that_cannot_begin_leaves_the_model_as_it_was(self):
        ops, layers = self.loaded[0][1:]
        del ops
        model = layers.Llama()
        before = layers.apply_rotary_pos_emb

        class Broken:
            config = None

            @staticmethod
            def named_modules():
                yield from model.named_modules()
                raise LookupError("no more")

        with self.assertRaises(LookupError), posenc.capture(Broken()):
            self.fail("it has begun")
        self.assertIs(layers.apply_rotary_pos_emb, before)
        self.assertFalse(any("forward" in vars(module) for _, module in model.named_modules()))

    def test_a_function_without_a_signature_is_let_be(self):
        ops, layers = self.loaded[0][1:]

        def rotate_nothing(q, cos):
            return q, cos
        rotate_nothing.__signature__ = "nonsense"
        with mock.patch.object(layers, "rotate_nothing", rotate_nothing, create=True):
            self.judge(self.captured(ops, layers.Llama(), 32), layers, "tables")

    class Turning(library.Module):
        """A module that returns a table as complex numbers, and takes whatever it is given."""

        def forward(self, attention_mask=None):
            del attention_mask
            tables = table()
            return (tables["cos"] + 1j * tables["sin"])[:, :8].astype(np.complex64)

    def test_a_complex_table_is_its_cosines_and_sines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "seen.safetensors")
            model = self.Turning()
            with posenc.capture(model, path) as seen:
                model()
            self.assertEqual(list(seen), ["cos", "sin"])
            self.assertEqual(seen["cos"].dtype, np.float32)
            posenc.assert_matches(dict(seen), **CLAIM)
            self.assertGreater(os.path.getsize(path), 2 * 12 * 8 * 4)

    def test_a_file_that_cannot_be_made_is_not_begun(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "seen.safetensors")
            seen = posenc.capturing.Capture(None)
            seen._found["wrong"] = np.array(["text"])  # pylint: disable=protected-access
            with self.assertRaises(TypeError):
                seen.write(path)
            self.assertFalse(os.path.exists(path))

    def test_what_cannot_be_read_does_not_stop_the_model(self):
        class Unreadable:
            def __array__(self, *given, **named):
                raise RuntimeError("it has no numbers")
        model = self.Turning()
        with posenc.capture(model) as seen:
            self.assertEqual(model(Unreadable()).shape, (12, 8))
            self.assertEqual(model(np.array(["text"])).shape, (12, 8))
        self.assertEqual(list(seen), ["cos", "sin"])

    def test_masks_are_not_held(self):
        model = self.Turning()
        with posenc.capture(model):
            mask = np.zeros((4, 4), np.float32)
            held = weakref.ref(mask)
            model(mask)
            del mask
            self.assertIsNone(held())

    def test_views_of_torch_are_read(self):
        torch = importlib.import_module("torch") if importlib.util.find_spec("torch") else None
        if torch is None:
            return
        values = torch.tensor([[1 + 2j, 3 - 4j]])
        for name, made, right in (("conj", values.conj(), [[1 - 2j, 3 + 4j]]),
                                  ("neg", values.conj().imag, [[-2, 4]]),
                                  ("sparse", torch.eye(2).to_sparse(), [[1, 0], [0, 1]])):
            with self.subTest(name):
                np.testing.assert_array_equal(posenc.foreign.to_array(made), right)

    def test_as_many_attentions_are_kept_as_are_wished(self):
        for _, ops, layers in self.loaded:
            seen = self.captured(ops, layers.Llama(), 32, layers=2)
            self.assertEqual([name for name in seen if name.endswith("q_rot")],
                             ["layers.0.q_rot", "layers.1.q_rot"])
            seen = self.captured(ops, layers.DeepseekV3(), 128, layers=0)
            self.assertEqual(list(seen),
                             ["rotary_emb.position_ids", "rotary_emb.cos", "rotary_emb.sin"])
            self.assertIn("rotary_emb.cos: float32[1, 12, 64]", repr(seen))


TESTS = '''
import numpy as np

def table(base):
    angle = np.outer(np.arange(12), base ** (-np.arange(0, 16, 2) / 16))
    return {"cos": np.cos(angle).astype("f4"), "sin": np.sin(angle).astype("f4")}

def test_right(posenc_matches):
    posenc_matches(table(500000.0), encoding="rope", dim=16, base=500000, pos=range(12))

def test_wrong(posenc_matches):
    posenc_matches(table(10000.0), encoding="rope", dim=16, base=500000, pos=range(12))
'''


class Plugin(ByProgram):
    def pytest(self, *words, tests=TESTS):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test_port.py"), "w", encoding="utf-8") as file:
                file.write(tests)
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "posenc.pytest_plugin", "-p", "no:cacheprovider",
                 "--no-header", *words, "test_port.py"], cwd=folder, capture_output=True, text=True,
                check=False, env={**os.environ, "PYTHONPATH": PACKAGE, "NO_COLOR": "1"})
            return done.stdout + done.stderr

    def test_pytest_finds_the_plugin_of_the_installed_wheel_by_its_entry_point_alone(self):
        dist = os.path.join(PACKAGE, "dist")
        (wheel,) = [name for name in os.listdir(dist) if name.endswith(".whl")]
        with tempfile.TemporaryDirectory() as folder:
            target, tests = os.path.join(folder, "installed"), os.path.join(folder, "tests")
            os.mkdir(tests)
            done = subprocess.run(
                ["/usr/bin/python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                 "--disable-pip-version-check", "--target", target, os.path.join(dist, wheel)],
                capture_output=True, text=True, check=False, cwd="/")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with open(os.path.join(tests, "test_port.py"), "w", encoding="utf-8") as file:
                file.write(TESTS)
            environment = {**os.environ, "PYTHONPATH": target, "NO_COLOR": "1"}
            environment.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
            for words, said, found in (((), "1 failed, 1 passed", True),
                                       (("-p", "no:posenc"), "2 errors", False)):
                done = subprocess.run(
                    [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words, "test_port.py"],
                    cwd=tests, capture_output=True, text=True, check=False, env=environment)
                self.assertIn(said, done.stdout + done.stderr)
                plugins = [line for line in done.stdout.splitlines() if line.startswith("plugins: ")]
                self.assertEqual(any("posenc-" in line for line in plugins), found, done.stdout)

    def test_a_failure_is_the_verdict_with_its_place(self):
        said = self.pytest()
        self.assertIn("1 failed, 1 passed", said)
        self.assertRegex(said, r"test_port\.py:12: mistake: cos and sin: the frequencies have base 10000 "
                               r"where 500000 is right\n")
        self.assertIn("  fix:  set base (rope_theta) to 500000 in place of 10000", said)
        self.assertNotIn("matching.py", said)

    def test_a_wrong_claim_is_told_with_its_place(self):
        said = self.pytest(tests=TESTS.replace("dim=16, base=10000", "dim=16").replace("dim=16", "dmi=16"))
        self.assertRegex(said, r"test_port\.py:9: dmi unknown parameter of rope \(did you mean dim\?\)")
        self.assertNotIn("matching.py", said)

    def test_a_service_may_be_named(self):
        server = Posencd()
        try:
            with mock.patch.dict(os.environ, POSENCD="/bin/false"):
                said = self.pytest("--posenc-url=http://127.0.0.1:%d" % server.port)
        finally:
            server.stop()
        self.assertIn("1 failed, 1 passed", said)

    def test_the_client_is_one_for_all_tests_and_is_closed(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "conftest.py"), "w", encoding="utf-8") as file:
                file.write("import posenc\nclose = posenc.Client.close\n"
                           "def told(self):\n    print('closed', flush=True)\n    close(self)\n"
                           "posenc.Client.close = told\n")
            with open(os.path.join(folder, "test_one.py"), "w", encoding="utf-8") as file:
                file.write("made = set()\ndef test_a(posenc_matches):\n"
                           "    made.add(id(posenc_matches.keywords['client']))\n"
                           "def test_b(posenc_matches):\n    test_a(posenc_matches)\n"
                           "    assert len(made) == 1\n")
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-s", "-p", "posenc.pytest_plugin", "-p",
                 "no:cacheprovider", "--posenc-url=http://127.0.0.1:1", "test_one.py"], cwd=folder,
                capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": PACKAGE})
        self.assertIn("2 passed", done.stdout)
        self.assertEqual(done.stdout.count("closed"), 1, done.stdout)


if __name__ == "__main__":
    unittest.main()
