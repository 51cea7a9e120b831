# SPDX-License-Identifier: Apache-2.0
"""test_operator_files.py - the files of the operator while the service runs: each state of a file is
logged once, when it changes, and /metrics and /readyz?verbose say the same for as long as it lasts."""

import json
import os
import signal
import tempfile
import unittest

from support.posencd import Posencd
from test_keys import KEY, OTHER, SMALL, SecretFiles, bearer
from test_tables import safetensors
from test_tls import Certificate

MODEL = {"model_type": "llama", "head_dim": 64, "rope_theta": 5000}
BAD_SECRET, SECRET = "secret not read, the old one stays", "secrets read"
NEW = "k3y-that-is-new-22"


class Told:
    """What a server logs about files; the server is told to read all of them with HUP."""

    def __init__(self, server):
        self.server = server
        self.seen = len(server.events())

    def after_reload(self, times=3):
        """The events of files since the last call, with the files that they name. All files are read
        `times` times, and by the watch besides."""
        for _ in range(times):
            before = self.count()
            self.server.signal(signal.SIGHUP)
            self.server.wait_line(lambda event: self.count() > before, "end of the reload")
        events = self.server.events()
        new, self.seen = events[self.seen:], len(events)
        return [(event["event"], event.get("file"), event.get("why"))
                for event in new if event["event"] != "reloaded"]

    def count(self):
        return sum(event["event"] == "reloaded" for event in self.server.events())


class Secrets(unittest.TestCase):
    def setUp(self):
        self.files = SecretFiles()
        self.server = Posencd("--api-keys-file", self.files.path("keys"), "--admin-token-file",
                              self.files.path("admin"), "--access-log", "off", "--threads", "1")
        self.told = Told(self.server)

    def tearDown(self):
        self.assertEqual(self.server.stop(), 0)
        self.files.folder.cleanup()

    def metrics(self, key=KEY):
        page = self.server.get("/metrics", bearer(key)).text()
        return [line.rsplit(" ", 1)[1] for name in ("secret_files_bad", "secret_load_errors_total")
                for line in page.splitlines() if line.startswith("posencd_%s " % name)]

    def statuses(self, *keys):
        return [self.server.get(SMALL, bearer(key)).status for key in keys]

    def test_an_emptied_file_of_keys_is_refused_once_and_the_old_keys_stay(self):
        path, why = self.files.path("keys"), "must have at least one key, one a line"
        with open(path, "w", encoding="ascii"):  # emptied as by `: > keys`
            pass
        self.assertEqual(self.told.after_reload(),
                         [(BAD_SECRET, "--api-keys-file", "%s: %s" % (path, why))])
        self.assertEqual(self.metrics(), ["1", "1"])
        self.assertEqual(self.statuses(KEY, OTHER, NEW), [200, 200, 401])
        self.assertIn("[-] secrets %s: %s" % (path, why),
                      self.server.get("/readyz?verbose").text())
        self.files.write("keys", "# none\n")  # as empty: the same state
        self.assertEqual(self.told.after_reload(), [])
        self.files.write("keys", NEW + "\n")
        self.assertEqual(self.told.after_reload(), [(SECRET, "--api-keys-file", None)])
        while self.statuses(NEW) != [200]:  # each loop takes new keys in its next tick
            pass
        self.assertEqual(self.metrics(NEW), ["0", "1"])
        self.assertEqual(self.statuses(KEY, OTHER, NEW), [401, 401, 200])
        self.assertNotIn("[-]", self.server.get("/readyz?verbose").text())

    def test_another_error_is_another_state(self):
        self.files.write("keys", "short\n")
        self.assertEqual([event[:2] for event in self.told.after_reload()],
                         [(BAD_SECRET, "--api-keys-file")])
        os.remove(self.files.path("keys"))
        self.assertEqual(self.told.after_reload(),
                         [(BAD_SECRET, "--api-keys-file",
                           self.files.path("keys") + ": No such file or directory")])
        self.assertEqual(self.metrics(), ["1", "2"])
        self.files.write("admin", "x\n")  # the state of the keys is no other
        self.assertEqual([event[:2] for event in self.told.after_reload()],
                         [(BAD_SECRET, "--admin-token-file")])
        self.assertEqual(self.metrics(), ["2", "3"])

    def test_the_same_keys_written_again_are_no_change(self):
        self.files.write("keys", "# ours\n%s\n%s\n\n# the same\n" % (KEY, OTHER))
        self.assertEqual(self.told.after_reload(), [])
        self.files.write("keys", "# ours\n%s name=ours\n%s\n" % (KEY, OTHER))
        self.assertEqual(self.told.after_reload(), [(SECRET, "--api-keys-file", None)])
        self.files.write("keys", "%s\n%s\n%s\n" % (KEY, OTHER, NEW))
        self.assertEqual(self.told.after_reload(), [(SECRET, "--api-keys-file", None)])


class CertificateFiles(unittest.TestCase):
    def test_a_key_that_does_not_fit_is_told_once_and_so_is_the_right_pair(self):
        certificate = Certificate()
        with Posencd(*certificate.flags) as server:
            told, flags = Told(server), "--tls-cert, --tls-key"
            os.rename(certificate.key, certificate.key + ".kept")
            with open(certificate.key, "w", encoding="ascii"):
                pass
            self.assertEqual([event[:2] for event in told.after_reload()], [(BAD_SECRET, flags)])
            os.rename(certificate.key + ".kept", certificate.key)
            self.assertEqual(told.after_reload(), [(SECRET, flags, None)])
            self.assertEqual(told.after_reload(), [])
        certificate.folder.cleanup()


class Folders(unittest.TestCase):
    """--models-dir and --learned-tables-dir: their words, and a right and a wrong file."""

    def both(self):
        with tempfile.TemporaryDirectory() as folder:
            models, tables = os.path.join(folder, "models"), os.path.join(folder, "tables")
            for path in (models, tables):
                os.mkdir(path)
            right = [json.dumps({**MODEL, "rope_theta": i}).encode() for i in (5, 6)]
            numbers = [safetensors({"w": ([2], [i, i])}) for i in (5, 6)]
            with Posencd("--models-dir", models, "--learned-tables-dir", tables) as server:
                told = Told(server)
                yield (server, told, os.path.join(models, "one.json"), right, "models read",
                       "a model", "--models-dir", "model")
                yield (server, told, os.path.join(tables, "one.safetensors"), numbers,
                       "learned tables read", "a file of learned tables", "--learned-tables-dir",
                       "learned_table")

    @staticmethod
    def put(path, data):
        hidden = os.path.join(os.path.dirname(path), ".new")
        with open(hidden, "wb") as file:
            file.write(data)
        os.rename(hidden, path)

    def test_each_state_of_a_file_in_a_folder_is_told_once(self):
        for server, told, path, right, read, what, _, metric in self.both():
            with self.subTest(what):
                name = os.path.basename(path)
                over = "%s that could not be read is right or gone" % what
                for data, events in ((right[0], [read]), (right[0], []), (right[1], [read]),
                                     (b"", [what + " cannot be read"]), (b"", []),
                                     (b"{]", [what + " cannot be read"]), (right[1], [over]),
                                     (right[0], [read])):
                    self.put(path, data)
                    came = told.after_reload()
                    self.assertEqual([event[0] for event in came], events, (data[:60], came))
                    self.assertTrue(all(event[1] == name for event in came if event[0] != read), came)
                    bad = server.metrics()["posencd_%s_files_bad" % metric]
                    self.assertEqual(bad, data in (b"", b"{]"))
                self.assertEqual(server.metrics()["posencd_%s_load_errors_total" % metric], 2)

    def test_a_folder_that_is_gone_is_told_once_and_its_files_stay(self):
        for server, told, path, right, read, what, flag, metric in self.both():
            with self.subTest(what):
                folder = os.path.dirname(path)
                self.put(path, right[0])
                self.assertEqual([event[0] for event in told.after_reload()], [read])
                os.rename(folder, folder + ".gone")
                self.assertEqual(told.after_reload(), [(flag + " cannot be read", folder,
                                                        "No such file or directory")])
                self.assertEqual(server.metrics()["posencd_%s_files_bad" % metric], 1)
                self.assertIn(": No such file or directory", server.get("/readyz?verbose").text())
                os.rename(folder + ".gone", folder)
                self.assertEqual(told.after_reload(), [(flag + " can be read again", folder, None)])
                self.assertEqual(server.metrics()["posencd_%s_load_errors_total" % metric], 1)


if __name__ == "__main__":
    unittest.main()
