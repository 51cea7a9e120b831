# SPDX-License-Identifier: Apache-2.0
"""test_typescript.py - the package for TypeScript in a page: bundled for browsers, with what they have
in place of Node's modules, it gives the API's numbers."""

import os
import subprocess
import tempfile

import numpy
from page_case import PageCase
from support.posencd import ROOT, binary

TASKS = """
const done = arguments[arguments.length - 1], origin = arguments[0];
const list = (tensor) => ({ dtype: tensor.dtype, shape: tensor.shape, data: [...posenc.floats(tensor)] });
(async () => {
  const client = new posenc.Client({ url: origin });
  const row = (await client.sinusoidal({ dim: 8, pos: 3 })).get('rows');
  const table = (await client.rope({ dim: 8, pos: { stop: 4 }, out: 'cos', dtype: 'bf16' })).get('cos');
  const x = { shape: [2, 4], data: new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]) };
  const turned = (await client.ropeApply({ x, pos: [0, 1] })).get('x');
  const picture = await client.picture('alibi', { heads: 8, len: 64 });
  const config = { model_type: 'llama', head_dim: 8, rope_theta: 500000 };
  const [tables] = await client.tables(config, { pos: '0:16', out: 'cos' });
  const wrong = await client.rope({ dim: 7, pos: 1 }).catch((why) => why);
  return { row: list(row), table: list(table), turned: list(turned), config: list(tables.get('cos')),
           picture: [...picture.slice(0, 4)],
           wrong: [wrong instanceof posenc.RequestError, wrong.status, wrong.problems[0].parameter] };
})().then(done, (why) => done(String(why)));
"""


class TypeScript(PageCase):
    expected = ("400 (Bad Request)",)

    def bundle(self):
        """The package as a script that defines `posenc`; a module of Node in it fails the bundling."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "proto", "clients", "make_typescript.py"),
                            binary(), folder], check=True)
            return subprocess.run(
                ["esbuild", os.path.join(folder, "src", "index.ts"), "--bundle", "--platform=browser",
                 "--format=iife", "--global-name=posenc", "--log-level=warning"],
                check=True, capture_output=True, text=True).stdout

    def test_the_five_tasks_give_the_numbers_of_the_api(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        found = self.driver.execute_async_script(self.bundle() + TASKS, self.origin)
        self.assertIsInstance(found, dict, found)
        for name, path in (("row", "/v1/sinusoidal?dim=8&pos=3"), ("turned", "/v1/rope/apply?x=1,2,3,4;5,6,7,8&pos=0,1"),
                           ("config", "/v1/rope?dim=8&base=500000&pos=0:16&out=cos")):
            expected = self.tensor(path)
            self.assertEqual(found[name]["shape"], list(expected.shape))
            self.assertEqual(numpy.float32(found[name]["data"]).tobytes(), expected.tobytes(), name)
        exact = self.tensor("/v1/rope?dim=8&pos=0:4&out=cos").ravel()
        self.assertEqual(found["table"]["dtype"], "bf16")
        self.assertTrue(numpy.allclose(found["table"]["data"], exact, rtol=2 ** -8))
        self.assertEqual(found["picture"], [137, 80, 78, 71])
        self.assertEqual(found["wrong"], [True, 400, "dim"])
