# SPDX-License-Identifier: Apache-2.0
"""test_formats.py - every format is read by the library that its users read it with."""

import base64
import csv
import io
import json
import struct
import unittest

import numpy as np

from support.suite import ServerCase
from support.tensor_file import read_npy, read_safetensors

ROPE = "/v1/rope?dim=16&pos=0:5&base=500000"


class Npy(ServerCase):
    def test_the_readme_table_has_the_shape_it_promises(self):
        array = read_npy(self.get("/v1/rope?pos=0:8192&dim=128&base=500000&out=cos&format=npy").body)
        self.assertEqual(array.shape, (8192, 64))
        self.assertEqual(array.dtype, np.dtype("<f4"))
        expected = np.cos(np.arange(8192)[:, None] * 500000.0 ** (-np.arange(64) / 64))
        self.assertLess(np.abs(array - expected).max(), 1e-7)

    def test_the_header_is_version_1_0_and_padded_to_64(self):
        body = self.get(ROPE + "&out=cos&format=npy").body
        self.assertEqual(body[:8], b"\x93NUMPY\x01\x00")
        size, = struct.unpack("<H", body[8:10])
        self.assertEqual((10 + size) % 64, 0)
        head = body[10:10 + size]
        self.assertTrue(head.endswith(b"\n"))
        self.assertEqual(head.rstrip(),
                         b"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 8), }")
        self.assertEqual(len(body), 10 + size + 5 * 8 * 4)

    def test_one_axis_has_a_comma(self):
        body = self.get("/v1/rope?dim=16&out=inv_freq&format=npy").body
        self.assertIn(b"'shape': (8,), ", body[:128])
        self.assertEqual(read_npy(body).shape, (8,))

    def test_every_dtype_that_numpy_has(self):
        for dtype, kind in (("f64", "<f8"), ("f32", "<f4"), ("f16", "<f2")):
            array = read_npy(self.get(ROPE + "&out=sin&format=npy&dtype=" + dtype).body)
            self.assertEqual((array.dtype, array.shape), (np.dtype(kind), (5, 8)))
            exact = np.sin(np.arange(5)[:, None] * 500000.0 ** (-np.arange(8) / 8))
            self.assertLess(np.abs(array - exact).max(), 1e-3 if dtype == "f16" else 1e-7)

    def test_a_tensor_of_heads_has_three_axes(self):
        array = read_npy(self.get("/v1/alibi?heads=3&len=4&format=npy").body)
        self.assertEqual(array.shape, (3, 4, 4))
        self.assertEqual(array[0, 3, 0], -3 * 0.0625)

    def test_an_empty_table_keeps_its_columns(self):
        array = read_npy(self.get("/v1/rope?dim=16&pos=0:0&out=cos&format=npy").body)
        self.assertEqual(array.shape, (0, 8))


class Safetensors(ServerCase):
    def test_all_tensors_by_name(self):
        answer = self.get(ROPE + "&format=safetensors&out=cos,sin,inv_freq")
        metadata, tensors = read_safetensors(answer.body)
        self.assertEqual(sorted(tensors), ["cos", "inv_freq", "sin"])
        self.assertEqual(tensors["cos"][1].shape, (5, 8))
        self.assertEqual(tensors["inv_freq"][1].shape, (8,))
        self.assertTrue(any("500000" in value for value in metadata.values()), metadata)
        npy = read_npy(self.get(ROPE + "&format=npy&out=sin").body)
        self.assertEqual(tensors["sin"][1].tobytes(), npy.tobytes())

    def test_bfloat16_is_rounded_once(self):
        answer = self.get(ROPE + "&format=safetensors&dtype=bf16&out=cos")
        dtype, words = read_safetensors(answer.body)[1]["cos"]
        self.assertEqual(dtype, "BF16")
        values = (words.astype(np.uint32) << 16).view(np.float32)
        exact = np.cos(np.arange(5)[:, None] * 500000.0 ** (-np.arange(8) / 8))
        self.assertTrue((np.abs(values - exact) <= np.abs(exact) * 2.0 ** -8).all())

    def test_dtypes_carry_their_names(self):
        for dtype, name in (("f64", "F64"), ("f32", "F32"), ("f16", "F16"), ("bf16", "BF16")):
            answer = self.get(ROPE + "&format=safetensors&out=cos&dtype=" + dtype)
            self.assertEqual(read_safetensors(answer.body)[1]["cos"][0], name)

    def test_an_empty_tensor_has_no_bytes(self):
        answer = self.get("/v1/rope?dim=16&pos=0:0&format=safetensors")
        self.assertEqual(read_safetensors(answer.body)[1]["cos"][1].shape, (0, 8))


class Raw(ServerCase):
    def test_it_is_the_bytes_of_npy_without_a_header(self):
        for dtype in ("f64", "f32", "f16"):
            raw = self.get(ROPE + "&out=cos&format=raw&dtype=" + dtype)
            npy = read_npy(self.get(ROPE + "&out=cos&format=npy&dtype=" + dtype).body)
            self.assertEqual(raw.body, npy.tobytes())
            self.assertEqual(raw.header("posenc-dtype"), dtype)

    def test_bfloat16_is_what_safetensors_holds(self):
        raw = self.get(ROPE + "&out=cos&format=raw&dtype=bf16")
        other = self.get(ROPE + "&out=cos&format=safetensors&dtype=bf16")
        self.assertEqual(raw.body, read_safetensors(other.body)[1]["cos"][1].tobytes())


class Csv(ServerCase):
    def test_it_has_a_header_row_and_reads_back(self):
        text = self.get(ROPE + "&out=cos&format=csv").text()
        rows = list(csv.reader(io.StringIO(text)))
        npy = read_npy(self.get(ROPE + "&out=cos&format=npy").body)
        self.assertEqual(len(rows), 6)
        values = np.array([row[-8:] for row in rows[1:]], dtype=np.float32)
        self.assertEqual(values.tobytes(), npy.tobytes())

    def test_leading_axes_are_columns_of_indices_and_positions(self):
        text = self.get("/v1/alibi?heads=2&q=5:8&k=0:8&format=csv").text()
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual(len(rows), 1 + 2 * 3)
        self.assertEqual(rows[0][:2], ["heads_index", "q"])
        self.assertEqual([row[:2] for row in rows[1:4]], [["0", "5"], ["0", "6"], ["0", "7"]])

    def test_an_only_axis_is_a_row_an_element_also_where_it_is_streamed(self):
        for target in ("/v1/rope?dim=65536&out=inv_freq",
                       "/v1/causal-mask?q=7:300007&k=0:8&out=fully_masked_rows"):
            lines = self.get(target + "&format=csv").text().splitlines()
            npy = read_npy(self.get(target + "&format=npy").body)
            self.assertEqual(len(lines), 1 + len(npy))
            first = 7 if "mask" in target else 0
            self.assertEqual([int(line.split(",")[0]) for line in lines[1:]],
                             list(range(first, first + len(npy))))
            # A text of a digit is true for numpy 2, whichever it is.
            kind = np.uint8 if npy.dtype == np.bool_ else npy.dtype
            values = np.array([line.split(",")[1] for line in lines[1:]]).astype(kind)
            self.assertEqual(values.tobytes(), npy.tobytes())


class Json(ServerCase):
    def values(self, target):
        return self.get(target).json()["tensors"][0]

    def test_nested_flat_and_base64_are_the_same_numbers(self):
        npy = read_npy(self.get(ROPE + "&out=cos&format=npy").body)
        nested = self.values(ROPE + "&out=cos")
        self.assertEqual(nested["shape"], [5, 8])
        self.assertEqual(np.array(nested["data"], dtype=np.float32).tobytes(), npy.tobytes())
        flat = self.values(ROPE + "&out=cos&data=flat")
        self.assertEqual(np.array(flat["data"], dtype=np.float32).tobytes(), npy.tobytes())
        encoded = self.values(ROPE + "&out=cos&data=base64")
        self.assertEqual(base64.b64decode(encoded["data"], validate=True), npy.tobytes())

    def test_float64_reads_back_exactly(self):
        npy = read_npy(self.get(ROPE + "&out=sin&format=npy&dtype=f64").body)
        data = self.values(ROPE + "&out=sin&dtype=f64")["data"]
        self.assertEqual(np.array(data, dtype=np.float64).tobytes(), npy.tobytes())

    def test_float32_is_the_shortest_text(self):
        text = self.get("/v1/rope?dim=16&pos=1&out=sin").text()
        numbers = json.loads(text, parse_float=str)["tensors"][0]["data"][0]
        for number in numbers:
            shortest = np.format_float_scientific(np.float32(number), unique=True, trim="-")
            digits = len(shortest.split("e")[0].replace(".", "").replace("-", ""))
            used = number.split("e")[0].replace(".", "").replace("-", "").strip("0")
            self.assertLessEqual(len(used), digits, number)

    def test_pretty_is_the_same_document(self):
        plain = self.get(ROPE + "&out=cos")
        pretty = self.get(ROPE + "&out=cos&pretty=1")
        first, second = plain.json(), pretty.json()
        first["params"].pop("pretty", None)
        second["params"].pop("pretty", None)
        self.assertEqual(first, second)
        self.assertGreater(pretty.text().count("\n"), plain.text().count("\n"))

    def test_an_angle_beyond_float32_is_the_word_nan(self):
        """The result of float32 in the frameworks; the exact profile has no such limit."""
        far = "/v1/rope?pos=9007199254740992&dim=8&base=1e-18&allow_base_below_one=1&out=cos" \
              "&scaling=linear&factor=1e-18&profile="
        tensor = self.get(far + "f32-pow").json()["tensors"][0]
        self.assertEqual(tensor["data"][0][2:], ["NaN", "NaN"])
        self.assertTrue(tensor["nonfinite"])
        exact = self.get(far + "exact").json()["tensors"][0]
        self.assertTrue(all(abs(value) <= 1 for value in exact["data"][0]))

    def test_minus_zero_is_printed_as_zero(self):
        self.assertNotIn("-0,", self.get("/v1/alibi?heads=2&len=2").text().replace(" ", ""))


class Ranges(ServerCase):
    def test_what_is_said_of_ranges_is_kept(self):
        target = ROPE + "&out=cos&format=raw"
        whole = self.get(target)
        part = self.server.get(target, [("Range", "bytes=16-31")])
        if whole.header("accept-ranges") == "bytes":
            self.assertEqual(part.status, 206)
            self.assertEqual(part.header("content-range"), "bytes 16-31/%d" % len(whole.body))
            self.assertEqual(part.body, whole.body[16:32])
        else:
            self.assertEqual((part.status, part.body), (200, whole.body))


if __name__ == "__main__":
    unittest.main()
