#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_site.py - writes the pages as files that any file server can serve, below any folder: those of
a posencd, which is asked for each of them, with the WebAssembly modules in place of the service.
Usage: make_site.py POSENCD ESBUILD MODULES FOLDER [URL]. FOLDER is replaced. URL is where the files will be,
"https://posenc.example/below": with it a preview of a link has an address and a picture, a file."""

import hashlib
import html
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
import tables  # noqa: E402, the line above keeps the folder clean

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = os.path.join(HERE, "../../proto/clients/make_typescript.py")
PREFIX = "/the-prefix-of-make-site"  # in front of every address of the service, and of no other text
SERVICE = "http://localhost:8080"  # of requests to copy, as in the texts of the pages
FIRST = ("/", "/compare", "/docs", "/learn", "/models", "/verify")
PAGE = re.compile(r"/(?:(?:compare|docs|explore|learn|models|problems|verify)(?:/.*)?)?")
ADDRESS = re.compile(r'\b(href|src)="(?!#|[a-z]+:)([^"?#]*)([^"]*)"')  # of the site itself
OF_A_HOST = re.compile(r'<(?:link rel="canonical"|meta (?:property="og:(?:url|image)[^"]*"|name="twitter:card"))'
                       r' [^>]*>\n')
ADDRESS_OF_PAGE = re.compile(r'(<link rel="canonical" href=|<meta property="og:url" content=)"[^"]*"')
CARD = re.compile(r'(<meta property="og:image" content=)"%s([^"?]*)([^"]*)"' % PREFIX)
BEFORE_METAS = '<meta charset="utf-8">\n'
PATIENCE = 30  # seconds until the program serves
FOOT = """<p>These pages are files: WebAssembly computes their numbers in this browser, the bytes of the
service. Learned tables of an operator need a posencd that has them.</p>
</footer>"""


class Service:
    """A posencd at a unix socket, while it is used."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="posenc-site-")
        self.path = os.path.join(self.folder.name, "socket")
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "unix:" + self.path, "--path-prefix", PREFIX, "--log-level", "error",
             "--work-timeout", "1m"], stdin=subprocess.DEVNULL)  # on a busy machine a page takes its time
        self.connection = http.client.HTTPConnection("localhost")
        try:
            self.connection.sock = self._connect(program)
        except BaseException:
            self.__exit__()
            raise

    def _connect(self, program):
        deadline = time.monotonic() + PATIENCE
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.path)
                return connection
            except OSError as why:
                connection.close()
                ended = self.process.poll()
                if ended is not None or time.monotonic() > deadline:
                    raise SystemExit("%s does not serve: %s" % (
                        program, why if ended is None else "it ended with %d" % ended)) from why
                time.sleep(0.02)

    def get(self, path):
        """The answer's body and its headers."""
        self.connection.request("GET", PREFIX + path, headers={"Accept": "text/html, */*"})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit("%s has status %d" % (path, answer.status))
        return body, answer.headers

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def hash_of(*contents):
    found = hashlib.sha256()
    for content in contents:
        found.update(content)
    return found.hexdigest()[:12]


def bundled(esbuild, path, *options):
    return subprocess.run([esbuild, path, "--bundle", "--minify", "--target=es2022", "--charset=utf8",
                           "--format=esm", "--log-level=warning", *options, *tables.defined()],
                          check=True, stdout=subprocess.PIPE).stdout


def path_of(page, address):
    """The path of an address in the text of a page."""
    return urllib.parse.urljoin(PREFIX + page, address)[len(PREFIX):]


def read_pages(service):
    """Path -> page of all that the first pages, and the pages they lead to, link; and the policy."""
    encodings = json.loads(service.get("/v1/encodings?fields=name")[0])["encodings"]
    waiting = [*FIRST, *("/explore/" + one["name"] for one in encodings)]
    pages, policy = {}, ""
    while waiting:
        path = waiting.pop()
        if path in pages:
            continue
        body, headers = service.get(path)
        pages[path] = body.decode()
        policy = headers["Content-Security-Policy"]
        links = [path_of(path, address) for kind, address, _ in ADDRESS.findall(pages[path]) if kind == "href"]
        waiting += [link for link in links if PAGE.fullmatch(link)]
    return pages, policy


def policy_of(policy):
    """The policy of the service with what the modules need, and without what a meta tag cannot say."""
    parts = [part for part in policy.split("; ") if not part.startswith("frame-ancestors")]
    return "; ".join(part + " 'wasm-unsafe-eval'" if part.startswith("script-src") else part for part in parts)


class Site:
    """The files of the site, by their paths in it."""

    def __init__(self, service, url=""):
        self.service = service
        self.url = url.rstrip("/")
        self.files = {}
        self.pages, policy = read_pages(service)
        self.policy = policy_of(policy)
        self.script = self.worker = self.modules = None

    def add(self, folder, stem, suffix, content):
        path = "%s/%s-%s%s" % (folder, stem, hash_of(content), suffix)
        self.files[path] = content
        return path

    def add_script(self, program, esbuild):
        with tempfile.TemporaryDirectory() as client:
            subprocess.run([sys.executable, CLIENT, program, client], check=True)
            source = os.path.join(client, "src")
            bundle = bundled(esbuild, os.path.join(HERE, "static.js"),
                             "--alias:posenc=" + os.path.join(source, "local.ts"))
            self.worker = bundled(esbuild, os.path.join(source, "worker.ts"))
        self.script = self.add("assets", "static", ".js", bundle)

    def add_modules(self, folder):
        contents = {"worker.js": self.worker}
        for name in sorted(os.listdir(folder)):
            if name.endswith(".wasm"):
                with open(os.path.join(folder, name), "rb") as file:
                    contents[name] = file.read()
        self.modules = "assets/modules-%s/" % hash_of(*contents.values())
        self.files.update((self.modules + name, content) for name, content in contents.items())

    def picture(self, path, query):
        """A picture that is in the text of a page: a file."""
        content, headers = self.service.get(path + query.replace("&amp;", "&"))
        suffix = {"image/svg+xml": ".svg", "image/png": ".png"}[headers["Content-Type"]]
        return self.add("pictures", path.replace("/v1/", "").replace("/", "-"), suffix, content)

    def address(self, kind, path, rest):
        """Where an address of the service leads in the site, from its root."""
        if path.startswith("/assets/"):
            if path.endswith(".js"):
                return self.script
            self.files[path[1:]] = self.service.get(path)[0]
            return path[1:]
        if kind == "src":
            return self.picture(path, rest)
        if path in self.pages:
            return path[1:] + ("/" if path != "/" else "") + rest
        if path == "/openapi.json" or path.startswith("/v1/"):
            return path[1:] + rest
        raise SystemExit("no page is at %s" % path)

    def with_host(self, path, text):
        """The head of a page with its address and its picture at the host of the files, or without both."""
        if not self.url:
            return OF_A_HOST.sub("", text)
        place = html.escape(self.url + path + ("" if path.endswith("/") else "/"))
        text = ADDRESS_OF_PAGE.sub(lambda found: '%s"%s"' % (found[1], place), text)
        return CARD.sub(lambda found: '%s"%s/%s"' % (found[1], self.url, self.picture(found[2], found[3])), text)

    def add_page(self, path, text):
        parts = [part for part in path.split("/") if part]
        root = "/".join([".."] * len(parts)) or "."
        metas = {'http-equiv="Content-Security-Policy"': self.policy, 'name="posenc-service"': SERVICE,
                 'name="posenc-modules"': "%s/%s" % (root, self.modules)}
        lines = "".join('<meta %s content="%s">\n' % meta for meta in metas.items())
        for old, new in ((BEFORE_METAS, BEFORE_METAS + lines), ("</footer>", FOOT),
                         ('name="posenc-prefix" content="' + PREFIX, 'name="posenc-prefix" content="' + root)):
            assert text.count(old) == 1, (path, old)
            text = text.replace(old, new)
        text = self.with_host(path, text)
        text = ADDRESS.sub(lambda found: '%s="%s/%s"' % (
            found[1], root, self.address(found[1], path_of(path, found[2]), found[3])), text)
        self.files["/".join([*parts, "index.html"])] = text.replace(PREFIX, "").encode()


def main(program, esbuild, modules, folder, url=""):
    with Service(program) as service:
        site = Site(service, url)
        site.add_script(program, esbuild)
        site.add_modules(modules)
        for path, text in sorted(site.pages.items()):
            site.add_page(path, text)
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in site.files.items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(content)
    print("  %s: %d pages, %d files, %.1f MB" % (
        folder, len(site.pages), len(site.files), sum(map(len, site.files.values())) / 1e6))


if __name__ == "__main__":
    main(*sys.argv[1:])
