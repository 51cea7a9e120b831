# SPDX-License-Identifier: Apache-2.0
"""Two versions behind one cache: rolled forth and back under load, by the policy of docs/api.md."""

import os
import subprocess
import tempfile
import threading
import unittest

import beside
from front import Nginx, Varnish
from load import Connection, Load, get, post
from replica import Replica

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FULL = os.environ.get("FULL", "") != ""
EACH = 4000 if FULL else 600  # answers in each state of the fleet

# The encoding of which the two versions have different revisions, and others.
SPANS = 40
WHOLE = ["/v1/integer?pos=%d:%d&format=raw" % (i, i + 500) for i in range(SPANS)]
OTHERS = ["/v1/rope?dim=64&pos=%d&format=json" % i for i in range(SPANS)]
INFER = "/v2/models/integer/versions/%d/infer"


class Version:
    """What one version answers, asked directly."""

    def __init__(self, program):
        self.program = program
        replica = Replica(program)
        one = Connection(replica.port)
        self.answers = {target: one.ask(get(target)) for target in WHOLE + OTHERS}
        self.rev = int(self.answers[WHOLE[0]].header("Posenc-Rev", ""))
        assert all(answer.status == 200 for answer in self.answers.values())
        one.close()
        replica.stop()


class Clients:
    """Draws what clients ask, and judges answers by the revisions that the fleet has: `sure` are
    those that replicas have all the time, `maybe` those that one may have."""

    def __init__(self, old, new):
        self.versions = {version.rev: version for version in (old, new)}
        self.sure = self.maybe = {old.rev}
        self.counts, self.lock = {}, threading.Lock()

    def states(self, sure, maybe):
        with self.lock:
            self.sure, self.maybe = set(sure), set(maybe)

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def draw(self, k):
        # What is sure before the request and after it was so in between.
        before = self.sure, self.maybe
        make = [self.unpinned, self.pinned, self.unpinned, self.part, self.other, self.infer][k % 6]
        request, judge = make(k)

        def judged(answer):
            sure, maybe = before[0] & self.sure, before[1] | self.maybe
            return judge(answer, sure, maybe)
        return request, judged

    def right(self, target, answer, begin=None, end=None):
        """None if the bytes are those of the revision that the answer has."""
        rev = answer.header("Posenc-Rev", "")
        versions = [one for one in self.versions.values()
                    if one.answers[target].header("Posenc-Rev", "") == rev]
        if not versions:
            return "revision %r" % rev
        if all(one.answers[target].body[begin:end] != answer.body for one in versions):
            return "%d bytes that are not those of revision %s" % (len(answer.body), rev)
        return None

    def unpinned(self, k):
        target = WHOLE[k * 7 % SPANS]

        def judge(answer, sure, maybe):
            self.count("unpinned")
            return self.right(target, answer) if answer.status == 200 else \
                "status %d" % answer.status
        return get(target), judge

    def other(self, k):
        target = OTHERS[k * 7 % SPANS]

        def judge(answer, sure, maybe):
            self.count("unpinned")
            return self.right(target, answer) if answer.status == 200 else \
                "status %d" % answer.status
        return get(target), judge

    def part(self, k):
        """A part of what the client has of one revision, else the whole."""
        target = WHOLE[k * 7 % SPANS]
        rev = sorted(self.versions)[k // 6 % 2]
        etag = self.versions[rev].answers[target].header("ETag")

        def judge(answer, sure, maybe):
            self.count("ranged")
            if answer.status == 206:
                if int(answer.header("Posenc-Rev", "")) != rev:
                    return "a part of revision %s to a client of %d" % (
                        answer.header("Posenc-Rev", ""), rev)
                return self.right(target, answer, 100, 200)
            return self.right(target, answer) if answer.status == 200 else \
                "status %d" % answer.status
        return get(target, "Range: bytes=100-199", "If-Range: " + etag), judge

    def by_policy(self, answer, rev, sure, maybe, right):
        """A pinned answer: 200 where a replica has the revision, or a cache; 404 where none has."""
        self.count("pinned %d" % answer.status)
        if answer.status == 200:
            return right(answer)
        if rev in sure:
            return "status %d, though a replica has revision %d" % (answer.status, rev)
        wrong = answer.status != 404 or b"unknown-revision" not in answer.body and \
            b"version" not in answer.body or answer.header("Cache-Control") != "no-store"
        return "status %d, %r" % (answer.status, answer.body[:200]) if wrong else None

    def pinned(self, k):
        plain, rev = WHOLE[k * 7 % SPANS], sorted(self.versions)[k // 6 % 2]

        def right(answer):
            if int(answer.header("Posenc-Rev", "")) != rev:
                return "revision %s for %d" % (answer.header("Posenc-Rev", ""), rev)
            return self.right(plain, answer)
        return get("%s&rev=%d" % (plain, rev)), \
            lambda answer, sure, maybe: self.by_policy(answer, rev, sure, maybe, right)

    def infer(self, k):
        rev = sorted(self.versions)[k // 6 % 2]

        def right(answer):
            return None if b'"model_version":"%d"' % rev in answer.body else repr(answer.body)
        return post(INFER % rev, b'{"parameters":{"pos":"0:4"}}', "application/json"), \
            lambda answer, sure, maybe: self.by_policy(answer, rev, sure, maybe, right)


class Upgrade(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="posencd-next-")
        next_version = os.path.join(cls.folder.name, "next")
        subprocess.run([os.path.join(HERE, "next.sh"), next_version], check=True, cwd=ROOT)
        cls.old = Version(None)
        cls.new = Version(os.path.join(next_version, "build", "posencd"))
        assert cls.new.rev == cls.old.rev + 1
        assert all(cls.old.answers[t].body != cls.new.answers[t].body for t in WHOLE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def stale(self, port, version):
        """How many unpinned answers are not of this version."""
        one = Connection(port)
        revs = [one.ask(get(target)).header("Posenc-Rev", "") for target in WHOLE]
        one.close()
        return sum(int(rev) != version.rev for rev in revs)

    def roll(self, clients, front, load, serving, version):
        """The fleet becomes two replicas of the version: both versions serve for a while, then the
        others stop, and what caches have of them is purged. Returns the new replicas."""
        revs = {self.old.rev, self.new.rev}
        begun = [Replica(version.program) for _ in range(2)]
        clients.states(clients.sure, revs)
        front.change([one.address for one in serving + begun])
        clients.states(revs, revs)
        load.reach(EACH)
        clients.states({version.rev}, revs)
        front.change([one.address for one in begun])
        for one in serving:
            one.stop()
        load.reach(EACH)
        kept = self.stale(front.port, version)
        front.purge()
        self.assertEqual(self.stale(front.port, version), 0, "the purge left answers")
        clients.states({version.rev}, {version.rev})
        load.reach(EACH)
        return begun, kept

    def rolls(self, kind):
        clients = Clients(self.old, self.new)
        serving = [Replica(self.old.program) for _ in range(2)]
        with kind([one.address for one in serving]) as front, beside.flood([front.port]):
            load = Load(front.port, clients.draw, threads=6)
            load.reach(EACH)
            try:
                serving, forth = self.roll(clients, front, load, serving, self.new)
                serving, back = self.roll(clients, front, load, serving, self.old)
            finally:
                load.stop()
                for one in serving:
                    one.stop()
        counts = ", ".join("%s: %d" % pair for pair in sorted(clients.counts.items()))
        print("%s, rolled forth and back: %d requests (%s), %d wrong; of %d answers without rev the "
              "purge took %d and %d" % (kind.NAME, load.done, counts, len(load.wrong), SPANS, forth,
                                        back), flush=True)
        self.assertEqual(beside.lost(load.wrong)[:5], [])
        self.assertGreater(clients.counts["pinned 404"], 0)

    def test_nginx_rolls_forth_and_back(self):
        self.rolls(Nginx)

    if FULL:
        def test_varnish_rolls_forth_and_back(self):
            self.rolls(Varnish)
