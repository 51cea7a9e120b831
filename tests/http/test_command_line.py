# SPDX-License-Identifier: Apache-2.0
"""test_command_line.py - the commands that print and describe; help, hints and exit codes; what bash
completes; manual pages."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from support.posencd import PATIENCE, binary, child_environment, run
from support.suite import ServerCase

COMMANDS = ("serve", "compute", "verify", "models", "resolve", "encodings", "openapi", "health",
            "check-config", "completion", "man", "version", "help")


class Case(unittest.TestCase):
    def said(self, *arguments, stdin=None):
        done = run(*arguments, stdin=stdin)
        self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
        return done.stdout.decode()

    def refused(self, code, sentence, *arguments, stdin=None):
        done = run(*arguments, stdin=stdin)
        self.assertEqual((done.returncode, done.stdout), (code, b""), (arguments, done.stderr))
        self.assertIn("posencd: " + sentence, done.stderr.decode())


class Help(Case):
    def test_help_names_every_command_and_exit_code(self):
        text = self.said("--help")
        self.assertEqual(re.findall(r"^  posencd ([\w-]+)", text, re.MULTILINE), list(COMMANDS))
        for code in (0, 1, 64, 65, 66, 69, 70, 78):
            self.assertRegex(text, r"\n +%d  \w" % code)
        self.assertEqual({self.said("help"), self.said("-h")}, {text})

    def test_every_command_has_help_of_its_own(self):
        for command in COMMANDS:
            text = self.said(command, "--help")
            self.assertTrue(text.startswith("usage: posencd %s" % command), text)
            self.assertEqual({self.said(command, "-h"), self.said("help", command)}, {text})

    def test_help_is_read_wherever_it_stands(self):
        self.assertEqual(self.said("compute", "rope", "dim=7", "foo", "--help"),
                         self.said("compute", "rope", "--help"))
        self.assertEqual(self.said("health", "--url", "x", "--help"), self.said("health", "-h"))
        self.assertEqual(self.said("--threads", "2", "--help"), self.said("serve", "--help"))

    def test_help_of_an_encoding(self):
        text = self.said("compute", "rope", "--help")
        self.assertTrue(text.startswith("usage: posencd compute rope NAME=VALUE"), text)
        self.assertEqual(self.said("help", "rope"), text)
        self.assertEqual(self.said("compute", "--help", "rope"), text)

    def test_help_of_nothing_we_have(self):
        self.refused(64, "unknown command or encoding \"ropee\"; did you mean rope?",
                     "help", "ropee")
        self.refused(64, "unexpected argument \"b\"; help takes [COMMAND | ENCODING]",
                     "help", "rope", "b")

    def test_lines_of_help_fit_a_terminal(self):
        for command in ("compute", "verify", "models", "encodings"):
            for line in self.said("help", command).splitlines():
                self.assertLessEqual(len(line), 80, line)


class Hints(Case):
    def test_a_parameter_is_no_option(self):
        self.refused(64, "\"--dim\" is a parameter, not an option; write dim=8",
                     "compute", "rope", "--dim", "8", "pos=0:4")
        self.refused(64, "\"--dim=8\" is a parameter, not an option; write dim=8",
                     "compute", "rope", "--dim=8")
        self.refused(64, "\"--rotary-dim\" is a parameter, not an option; write rotary_dim=8",
                     "compute", "rope", "--rotary-dim", "8")
        self.refused(64, "\"--format\" is a parameter, not an option; write format=npy",
                     "compute", "rope", "--format", "npy")
        self.refused(64, "\"--dim\" is a parameter, not an option; write dim=VALUE",
                     "compute", "rope", "--dim")
        self.refused(64, "\"--dim\" is a parameter, not an option; write dim=8",
                     "verify", "encoding=rope", "--dim", "8")
        self.refused(64, "unknown option \"--dmi\"; did you mean dim=8?",
                     "compute", "rope", "--dmi", "8")

    def test_a_parameter_that_was_an_option_is_not_missing_too(self):
        done = run("compute", "rope", "--dim", "8", "--dtype=f16", "--format", "npy", "ps=0:4")
        self.assertEqual(done.returncode, 64)
        self.assertEqual([line.split()[1] for line in done.stderr.decode().splitlines()],
                         ['"--dim"', '"--dtype=f16"', '"--format"', "ps", "pos"])

    def test_an_address_is_given_by_listen(self):
        for flags, address in ((("--port", "8080"), "127.0.0.1:8080"), (("-p", "80"), "127.0.0.1:80"),
                               (("--port=9",), "127.0.0.1:9"), (("--port",), "127.0.0.1:8080"),
                               (("--host", "0.0.0.0"), "0.0.0.0:8080"),
                               (("--host", "localhost", "--port", "1"), "127.0.0.1:1"),
                               (("-p", "9", "--bind", "::1"), "[::1]:9"),
                               (("--host", "[::]:81"), "[::]:81"),
                               (("--addr", "0.0.0.0:82"), "0.0.0.0:82")):
            for command in ((), ("serve",), ("check-config",)):
                self.refused(64, "unknown flag %s; write --listen %s\n" % (
                    flags[0].partition("=")[0], address), *command, *flags)
        self.refused(64, "unknown option \"--port\"; write --url http://127.0.0.1:90",
                     "health", "--port", "90")

    def test_a_name_that_is_misspelt_has_the_nearest(self):
        self.refused(64, "unknown command \"comptue\"; did you mean compute?", "comptue")
        self.refused(64, "unknown command \"zzzz\"; see posencd help", "zzzz")
        self.refused(64, "\"rope\" is an encoding; write posencd compute rope ...", "rope", "dim=8")
        self.refused(64, "unknown encoding \"rop\"; did you mean rope?", "compute", "rop", "dim=8")
        self.refused(64, "unknown encoding \"zzzz\"; see posencd encodings", "encodings", "zzzz")
        self.refused(64, "unknown option \"--outptu\"; did you mean --output?",
                     "compute", "rope", "--outptu", "a.npy", "dim=8", "pos=0")
        self.refused(64, "unknown option \"-z\"; see posencd models --help", "models", "-z")
        self.refused(64, "unknown flag --lisen; did you mean --listen?", "serve", "--lisen", "x")
        self.refused(64, "model must be one of /v1/models; got llama-9-8b (did you mean "
                     "llama-3-8b, llama-1-7b or llama-2-7b?)",
                     "compute", "rope", "model=llama-9-8b", "pos=0")
        self.refused(64, "unknown model \"llama-9.1-8b\"; did you mean llama-", "models",
                     "llama-9.1-8b")

    def test_every_wrong_flag_is_said(self):
        for command in ("serve", "check-config"):
            done = run(command, "--lisen", "x", "--threads=no", "y")
            self.assertEqual((done.returncode, done.stderr.decode()), (
                64, "posencd: unknown flag --lisen; did you mean --listen?\n"
                'posencd: --threads must be auto or a whole number; got "no"\n'
                'posencd: unexpected argument "y"; flags are --name value\n'))

    def test_options_and_operands_are_counted(self):
        self.refused(64, "--json takes no value", "models", "--json=1")
        self.refused(64, "--url needs a value, URL", "health", "--url")
        self.refused(64, "--url is given twice; give it once", "health", "--url", "a", "--url=b")
        self.refused(64, "unexpected argument \"x\"; version takes no operand", "version", "x")
        self.refused(64, "compute ENCODING [NAME=VALUE ...] [-o FILE] needs an ENCODING", "compute")
        self.refused(64, "completion needs the shell: bash|zsh|fish", "completion")
        self.refused(64, "unknown shell \"csh\"; completion is for bash|zsh|fish",
                     "completion", "csh")

    def test_words_behind_two_dashes_are_operands(self):
        self.refused(64, "unknown model \"--json\"", "models", "--", "--json")


class Describing(ServerCase, Case):
    def test_encodings_lists_all_and_describes_one(self):
        catalog = self.get("/v1/encodings").json()["encodings"]
        lines = self.said("encodings").splitlines()
        self.assertEqual([line.split()[0] for line in lines], [one["name"] for one in catalog])
        for entry in catalog:
            text = self.said("encodings", entry["name"])
            plain = " ".join(text.split())
            for name in ("title", "summary", "formula", "when_to_use", "what_goes_wrong", "source"):
                self.assertIn(" ".join(entry[name].split()), plain, (entry["name"], name))
            for param in entry["params"] + entry["outputs"]:
                self.assertIn("\n  %s" % param["name"], text)
                self.assertIn(" ".join(param["doc"].split()), plain)

    def test_json_is_what_the_service_answers(self):
        self.assertEqual(self.said("encodings", "rope", "--json"),
                         self.get("/v1/encodings/rope").text())
        self.assertEqual(self.said("encodings", "--json", "/v1/rope"),
                         self.get("/v1/encodings/rope").text())
        self.assertEqual(self.said("encodings", "--fields", "name,rev"),
                         self.get("/v1/encodings?fields=name,rev").text())
        self.assertEqual(json.loads(self.said("encodings", "rope", "--fields=name,family")),
                         {"name": "rope", "family": "rotary"})
        self.assertEqual(self.said("models", "--json"), self.get("/v1/models").text())

    def test_a_wrong_member_is_refused(self):
        self.refused(64, "--fields", "encodings", "--fields", "nam")
        self.refused(64, "--markdown prints the table of all encodings; leave rope out",
                     "encodings", "rope", "--markdown")

    def test_models_are_found_by_any_of_their_names(self):
        models = self.get("/v1/models").json()["models"]
        self.assertEqual([line.split()[0] for line in self.said("models").splitlines()],
                         [model["id"] for model in models])
        for word in ("QWEN", "mistralai", "llama-3.1-8b"):
            wanted = [model["id"] for model in models
                      if any(word.lower() in str(model.get(name, "")).lower()
                             for name in ("id", "name", "organisation", "family", "aliases"))]
            self.assertTrue(wanted)
            lines = self.said("models", word).splitlines()
            self.assertEqual([line.split()[0] for line in lines], wanted, word)
            self.assertEqual([model["id"] for model in json.loads(
                self.said("models", word, "--json"))["models"]], wanted)

    def test_resolve_answers_as_the_service_does(self):
        config = json.dumps({"model_type": "llama", "hidden_size": 4096, "rope_theta": 500000.0,
                             "num_attention_heads": 32, "max_position_embeddings": 8192,
                             "num_hidden_layers": 2}).encode()
        answer = self.server.ask("POST", "/v1/models/resolve", config,
                                 [("Content-Type", "application/json")])
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(self.said("resolve", "-", stdin=config), answer.text())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "config.json")
            with open(path, "wb") as file:
                file.write(config)
            self.assertEqual(self.said("resolve", path), answer.text())

    def test_files_without_an_end_are_read_up_to_their_fault(self):
        for name in ("-", "/dev/stdin"):
            with open("/dev/zero", "rb") as zero:
                def refused(text, *words):
                    said = subprocess.run([binary(), *words], stdin=zero, capture_output=True,
                                          timeout=PATIENCE)
                    self.assertEqual(said.returncode, 65, said.stderr)
                    self.assertIn(text, said.stderr.decode())
                refused("%s: line 1, column 1: expected a JSON object" % name, "resolve", name)
                refused("%s has no tensors: it is neither npy" % name, "verify", name)
                refused("%s: " % name, "verify", name, "encoding=rope", "dim=4", "pos=0:2",
                        "in_dtype=f32", "shape=2,2")
                refused(", which is not read: ", "compute", "rope/apply", "x=@" + name, "pos=0",
                        "in_dtype=f32", "shape=1,4")
                refused(", which is neither npy", "compute", "rope", "dim=4", "pos=@" + name)

    def test_a_file_that_is_not_regular_is_not_waited_for(self):
        rule = "must be a regular file; a pipe or a device is read as -, the standard input"
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            for path in (fifo, "/dev/zero"):
                self.refused(66, "%s: %s" % (path, rule), "resolve", path)
                self.refused(66, "%s: %s" % (path, rule), "verify", path)
                self.refused(66, "x cannot read %s: %s" % (path, rule), "compute", "rope/apply",
                             "x=@" + path, "pos=0")
                self.refused(66, "pos cannot read %s: %s" % (path, rule), "compute", "rope",
                             "dim=4", "pos=@" + path)
            self.refused(66, "%s: Is a directory" % folder, "resolve", folder)

    def test_a_pipe_of_the_shell_is_read_whole(self):
        script = "\"$1\" resolve <(sleep 0.1; echo '{\"model_type\":'; sleep 0.1; echo ' \"no-such\"}')"
        said = subprocess.run(["bash", "-c", script, "bash", binary()], capture_output=True,
                              timeout=PATIENCE)
        self.assertEqual(said.returncode, 65, said.stderr)
        self.assertIn(b"no-such", said.stderr)

    def test_a_name_that_a_terminal_would_obey_is_escaped(self):
        for words in (("resolve",), ("verify",), ("compute", "rope"), ("models",), ("encodings",), ()):
            said = run(*words, "\033]0;a\007\udcff=1")
            self.assertFalse(set(b"\033\007\377") & set(said.stdout + said.stderr), words)
        self.assertIn(b"\\x1b]0;a\\x07: ", run("resolve", "\033]0;a\007").stderr)

    def test_resolve_refuses_with_the_sentences_of_the_service(self):
        config = json.dumps({"model_type": "llama", "hidden_size": "x", "rope_theta": -1}).encode()
        answer = self.server.ask("POST", "/v1/models/resolve", config,
                                 [("Content-Type", "application/json")])
        for problem in answer.json()["errors"]:
            self.refused(65, "", "resolve", "-", stdin=config)
            self.assertIn(problem["detail"], run("resolve", "-", stdin=config).stderr.decode())
        self.refused(65, "-: ", "resolve", "-", stdin=b"{")
        self.refused(66, "/no/such: No such file", "resolve", "/no/such")
        self.refused(64, "resolve FILE needs a Hugging Face config.json", "resolve")


class Completion(Case):
    """The script in bash, as Readline calls it: words are broken at = and :."""

    def completed(self, line, option="-u"):
        program = ("source <(\"$1\" completion bash); shopt " + option + " hostcomplete; "
                   "COMP_LINE=$2; COMP_POINT=${#2}; _posencd; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(
            ["bash", "-c", program, "bash", binary(), line.replace("posencd", binary(), 1)],
            capture_output=True, text=True, cwd=self.folder, env=child_environment(),
            timeout=PATIENCE, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.folder = self.kept.name
        for name in ("query.npy", "quantity.npy"):
            with open(os.path.join(self.folder, name), "w", encoding="ascii"):
                pass

    def test_every_kind_of_word(self):
        for line, wanted in (
                ("posencd comp", ["compute", "completion"]),
                ("posencd --lis", ["--listen"]),
                ("posencd compute rope-golden-gate/", ["rope-golden-gate/apply"]),
                ("posencd compute rope pai", ["pairing="]),
                ("posencd compute rope pairing=", ["half", "adjacent"]),
                ("posencd compute rope pairing=a", ["adjacent"]),
                ("posencd compute rope pairing=half pai", []),
                ("posencd compute rope out=cos,sin", ["cos,sin"]),
                ("posencd compute rope format=np", ["npy"]),
                ("posencd compute rope model=llama-3.1-8", ["llama-3.1-8b"]),
                ("posencd compute rope/apply x=", ["@"]),
                ("posencd compute rope/apply x=@qua", ["@quantity.npy"]),
                ("posencd compute rope --out", ["--output"]),
                ("posencd compute rope -o qu", ["quantity.npy", "query.npy"]),
                ("posencd verify encoding=alib", ["alibi"]),
                ("posencd verify que", ["query.npy"]),
                ("posencd verify encoding=rope scaling=yar", ["yarn", "yarn-deepseek"]),
                ("posencd models llama-3.1-8", ["llama-3.1-8b"]),
                ("posencd models llama-3.1-8b pos=0:4 ", ["masks=", "dtype="]),
                ("posencd models llama-3.1-8b masks=", ["runs", "dense", "none"]),
                ("posencd models llama-3.1-8b dtype=b", ["bf16", "bool"]),
                ("posencd models llama-3.1-8b -o qu", ["quantity.npy", "query.npy"]),
                ("posencd serve --log-level ", ["error", "warn", "info", "debug"]),
                ("posencd serve --log-level=i", ["info"]),
                ("posencd serve --warm qu", ["quantity.npy", "query.npy"]),
                ("posencd help check", ["check-config"]),
                ("posencd completion ", ["bash", "fish", "zsh"]),
                ("posencd encodings --fields name,when", ["name,when_to_use"]),
                ("posencd version ", []), ("posencd nothing ", [])):
            found = [word for word in self.completed(line) if word]
            if line.endswith("scaling=yar"):
                self.assertIn("yarn", found)
            else:
                self.assertEqual(sorted(found), sorted(wanted), line)

    def test_a_file_behind_its_sign_in_either_mode_of_readline(self):
        os.mkdir(os.path.join(self.folder, "a b"))
        for option in ("-u", "-s"):
            for typed, wanted in (("que", "@query.npy"), ("a", "@a\\ b/")):
                self.assertEqual(self.completed("posencd compute rope/apply x=@" + typed, option),
                                 [wanted])

    def test_the_first_word_may_be_every_command(self):
        self.assertEqual(self.completed("posencd "), list(COMMANDS))


class ManualPages(Case):
    def test_every_command_has_a_page(self):
        for command in COMMANDS:
            page = self.said("man", command)
            self.assertIn(".TH POSENCD-%s 1 " % command.upper(), page)
            self.assertIn(".SH \"EXIT STATUS\"", page)
        main = self.said("man")
        for command in COMMANDS:
            self.assertIn(".BR posencd\\-" + command.replace("-", "\\-"), main)
        flags = re.findall(r"^  --([\w-]+)$", self.said("serve", "--help"), re.MULTILINE)
        self.assertGreater(len(flags), 30)
        for flag in flags:
            self.assertIn(".B \\-\\-%s\n" % flag.replace("-", "\\-"), self.said("man", "serve"))

    def test_a_page_of_nothing_we_have(self):
        self.refused(64, "unknown command \"comptue\"; did you mean compute?", "man", "comptue")
        self.refused(64, "unknown command \"complete\"", "man", "complete")


if __name__ == "__main__":
    unittest.main()
