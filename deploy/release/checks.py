# SPDX-License-Identifier: Apache-2.0
"""checks.py CHECK - tries files of a release, as their users would, where there is no network; verify.py runs it.
RELEASE is the folder of the release, VERSION its version, WORK an empty folder, KEYRING the keys that may have
signed, RENDER the program that executes the chart's templates, NPM that of npm. What computes prints the
digest of one answer, which is the same for all. It ends with 0, or with the sentence of what is wrong."""

import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile

RELEASE, VERSION, WORK = (os.environ.get(name, "") for name in ("RELEASE", "VERSION", "WORK"))
# The answer that every artefact computes: raw float32.
TARGET = "/v1/rope?dim=8&pos=0:4&out=cos&format=raw"
COMPUTE = ["compute", "rope", "dim=8", "pos=0:4", "out=cos", "format=raw"]
BY_PYTHON = """
import posenc, sys
sys.stdout.buffer.write(posenc.local.rope(dim=8, pos="0:4", out="cos").cos.astype("<f4").tobytes())
assert posenc.__version__ == sys.argv[1] and posenc.local.engine() == "node", posenc.__version__
"""
BY_NODE = """
import { localFetch } from "posenc";
process.stdout.write(new Uint8Array(await (await localFetch()(process.argv[2])).arrayBuffer()));
"""
BY_C = """
#include <posenc.h>
#include <stdio.h>
int main(void) { puts(pe_version()); return 0; }
"""
LINK = re.compile(r'\b(?:href|src)="([^"#?:]+)["#?]')
OF_SCRIPT = re.compile(r"(\.\./|\./)+(v1/|openapi\.json)")  # links that the page's script answers


def run(*command, **options):
    """The output of a command that must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode:
        raise SystemExit("%s: exit code %d\n%s" % (" ".join(command), done.returncode,
                                                   done.stdout.decode("utf-8", "replace")[-2000:]))
    return done.stdout


def must(true, sentence, *values):
    if not true:
        raise SystemExit(sentence % values)


def file_of(pattern):
    """The one file of the release."""
    found = glob.glob(os.path.join(RELEASE, pattern))
    must(len(found) == 1, "one file must be %s; there are %d", pattern, len(found))
    return found[0]


def work(*names):
    return os.path.join(WORK, *names)


def tell(data):
    print(hashlib.sha256(data).hexdigest())


def unpack(path, folder=None):
    with tarfile.open(path) as tar:
        tar.extractall(folder or WORK)


# ---- the release as a whole --------------------------------------------------------------------

def sums():
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=RELEASE)
    with open(os.path.join(RELEASE, "SHA256SUMS"), encoding="ascii") as file:
        told = {line.split("  ", 1)[1].strip() for line in file}
    there = set(os.listdir(RELEASE)) - {"SHA256SUMS", "SHA256SUMS.asc"}
    must(told == there, "SHA256SUMS must have every file; it lacks %s", sorted(there - told))
    if os.path.exists(os.path.join(RELEASE, "SHA256SUMS.asc")):
        run("gpgv", "--keyring", os.environ["KEYRING"], "SHA256SUMS.asc", "SHA256SUMS", cwd=RELEASE)


def bill():
    with open(file_of("posencd-%s.spdx.json" % VERSION), encoding="utf-8") as file:
        packages = json.load(file)["packages"]
    told = {one["packageFileName"]: one["checksums"][0]["checksumValue"]
            for one in packages if "packageFileName" in one}
    there = {name for name in os.listdir(RELEASE)
             if not name.endswith((".spdx.json", ".image.tar")) and not name.startswith("SHA256SUMS")}
    must(set(told) == there, "the bill of materials must have %s; it has %s", sorted(there), sorted(told))
    for name, digest in told.items():
        with open(os.path.join(RELEASE, name), "rb") as file:
            must(hashlib.sha256(file.read()).hexdigest() == digest, "the bill has another %s", name)


# ---- the program -------------------------------------------------------------------------------

def ask(program):
    """Tells what a program computes; a service of it answers the same at a socket."""
    said = run(program, "version").decode()
    must("posencd " + VERSION in said, "%s must be of version %s; it says %s", program, VERSION, said)
    data = run(program, *COMPUTE)
    socket = work("socket")
    server = subprocess.Popen([program, "serve", "--listen", "unix:" + socket, "--drain-delay", "0",
                               "--log-level", "error"])
    try:
        answer = run(sys.executable, "-c", SERVED, socket, TARGET)
    finally:
        server.terminate()
        server.wait(60)
    must(answer == data, "the service must answer what `posencd compute` prints")
    tell(data)


SERVED = """
import http.client, socket, sys, time
end = time.monotonic() + 60
while True:
    try:
        one = http.client.HTTPConnection("localhost")
        one.sock = socket.socket(socket.AF_UNIX)
        one.sock.connect(sys.argv[1])
        break
    except OSError:
        assert time.monotonic() < end, "the service does not listen"
one.request("GET", sys.argv[2])
sys.stdout.buffer.write(one.getresponse().read())
"""


def tarball():
    unpack(file_of("posencd-%s.tar.gz" % VERSION))
    tree = work("posencd-" + VERSION)
    run("make", "--no-print-directory", "-j2", "-C", tree, "server")
    ask(os.path.join(tree, "build", "posencd"))


def packages():
    names = ("posencd", "libposenc0", "libposenc-dev")
    run("dpkg", "--install", *(file_of("%s_%s-*.deb" % (name, VERSION)) for name in names),
        env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    ask("/usr/bin/posencd")
    with open(work("sample.c"), "w", encoding="ascii") as file:
        file.write(BY_C)
    flags = run("pkg-config", "--cflags", "--libs", "posenc").decode().split()
    run("gcc", work("sample.c"), "-o", work("sample"), *flags)
    must(run(work("sample")).decode().strip() == VERSION, "the library must be of version %s", VERSION)
    run("dpkg", "--purge", *names)
    must(not os.path.exists("/usr/bin/posencd"), "a purge must leave no /usr/bin/posencd")


# ---- packages of languages -----------------------------------------------------------------------

def by_pip(path, *options):
    run("/usr/bin/python3", "-m", "venv", "--without-pip", "--system-site-packages", work("env"))
    python = work("env", "bin", "python")
    run("/usr/bin/python3", "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps",
        "--disable-pip-version-check", *options, path)
    tell(run(python, "-I", "-c", BY_PYTHON, VERSION, cwd=WORK, env=dict(os.environ, POSENC_ENGINE="node")))


def wheel():
    by_pip(file_of("posenc-%s-*.whl" % VERSION))


def sdist():
    by_pip(file_of("posenc-%s.tar.gz" % VERSION), "--no-build-isolation")


def npm():
    run("node", os.environ["NPM"], "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts",
        file_of("posenc-%s.tgz" % VERSION), cwd=WORK, env=dict(os.environ, HOME=WORK))
    with open(work("ask.mjs"), "w", encoding="utf-8") as file:
        file.write(BY_NODE)
    tell(run("node", "--no-warnings", "ask.mjs", TARGET, cwd=WORK))


# ---- images --------------------------------------------------------------------------------------

def image():
    for path in sorted(glob.glob(os.path.join(RELEASE, "posencd-%s-*.image.tar" % VERSION))):
        arch = os.path.basename(path).removeprefix("posencd-%s-" % VERSION).split(".")[0]
        one_image(path, arch, work(arch))


def one_image(path, arch, folder):
    unpack(path, folder)
    blobs = os.path.join(folder, "blobs", "sha256")
    for name in os.listdir(blobs):
        with open(os.path.join(blobs, name), "rb") as file:
            must(hashlib.sha256(file.read()).hexdigest() == name, "%s has another blob %s", path, name)
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)[0]
    must(manifest["RepoTags"] == ["posencd:" + VERSION], "%s is called %s", path, manifest["RepoTags"])
    root = os.path.join(folder, "root")
    for layer in manifest["Layers"]:
        unpack(os.path.join(folder, layer), root)
    with open(file_of("posencd-%s-%s.spdx.json" % (VERSION, arch)), encoding="utf-8") as file:
        bill_of_image(json.load(file), root)
    program = "/usr/bin/posencd"
    if arch == run("dpkg", "--print-architecture").decode().strip():
        command = ["chroot", root, program]
    else:
        emulator = {"arm64": "qemu-aarch64-static", "amd64": "qemu-x86_64-static"}[arch]
        command = [emulator, "-L", root, root + program]
    must("posencd " + VERSION in run(*command, "version").decode(), "%s has another version", path)
    tell(run(*command, *COMPUTE))


def bill_of_image(told, root):
    for one in told["files"]:
        with open(os.path.join(root, one["fileName"]), "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        must({"algorithm": "SHA256", "checksumValue": digest} in one["checksums"],
             "the bill of materials of an image has another %s", one["fileName"])
    must(any(one["fileName"] == "./usr/bin/posencd" for one in told["files"]), "the bill lacks the program")


# ---- the chart and the site ------------------------------------------------------------------------

def chart():
    import jsonschema
    import yaml
    unpack(file_of("posencd-%s.tgz" % VERSION))
    texts = {}
    for name in ("Chart.yaml", "values.yaml", "values.schema.json"):
        with open(work("posencd", name), encoding="utf-8") as file:
            texts[name] = yaml.safe_load(file)
    about, values = texts["Chart.yaml"], texts["values.yaml"]
    must(about["version"] == VERSION, "the chart has the version %s", about["version"])
    schema = jsonschema.Draft7Validator(texts["values.schema.json"])
    wrong = next(schema.iter_errors(values), None)
    must(wrong is None, "the chart's values do not fit its schema: %s", wrong and wrong.message)
    must(not schema.is_valid({**values, "replica": 2}), "the chart's schema must refuse a misspelt value")
    case = {"Values": values, "Release": {"Name": "one", "Namespace": "work"},
            "Chart": {"Name": about["name"], "AppVersion": about["appVersion"]}}
    said = run(os.environ["RENDER"], "chart", work("posencd"), input=json.dumps([case]).encode())
    objects = [one for name, text in json.loads(said)[0].items() if name.endswith(".yaml")
               for one in yaml.safe_load_all(text) if one]
    must(sorted(one["kind"] for one in objects) == ["Deployment", "PodDisruptionBudget", "Service"],
         "the chart must render a Deployment, a PodDisruptionBudget and a Service")


def site():
    unpack(file_of("posencd-%s.site.tar.gz" % VERSION))
    folder = work("posencd-%s-site" % VERSION)
    pages = [os.path.join(above, name) for above, _, names in os.walk(folder) for name in names
             if name.endswith(".html")]
    must(len(pages) > 100, "the site must have a page an encoding; it has %d", len(pages))
    for path in pages:
        with open(path, encoding="utf-8") as file:
            links = set(LINK.findall(file.read()))
        for link in links:
            target = os.path.normpath(os.path.join(os.path.dirname(path), link))
            must(OF_SCRIPT.match(link) or os.path.isfile(target) or os.path.isfile(os.path.join(target, "index.html")),
                 "%s: %s leads to no file", path, link)
    with tarfile.open(file_of("posenc-%s.tgz" % VERSION)) as tar:
        ours = {hashlib.sha256(tar.extractfile(one).read()).hexdigest() for one in tar if one.name.endswith(".wasm")}
    found = {hash_of(os.path.join(above, name)) for above, _, names in os.walk(folder) for name in names
             if name.endswith(".wasm")}
    must(found and found <= ours, "the site's modules must be those of the npm package")


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


CHECKS = {one.__name__: one for one in (sums, bill, tarball, packages, wheel, sdist, npm, image, chart, site)}

if __name__ == "__main__":
    CHECKS[sys.argv[1]]()
