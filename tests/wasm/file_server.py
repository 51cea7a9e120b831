# SPDX-License-Identifier: Apache-2.0
"""file_server.py - a folder as a file server has it, which is all that the modules need of a service."""

import functools
import http.server
import threading


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Says nothing of its requests."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                      ".wasm": "application/wasm"}
    policy = None  # that the server sends besides those of the pages

    def end_headers(self):
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, *words):  # pylint: disable=arguments-differ
        pass


class FileServer:
    """Serves a folder on a free port of the loopback, until `close`."""

    def __init__(self, folder):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        self.url = "http://127.0.0.1:%d" % self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
