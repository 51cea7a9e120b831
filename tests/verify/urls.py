# SPDX-License-Identifier: Apache-2.0
"""urls.py - the URLs of verify's answers: each is fetched and its tensors are verified, against the
claim of the case (url) or their own (found_url); they must be exact."""

SAFETENSORS = "application/x-safetensors"
NO_CLAIM = {"out", "dtype", "profile", "format", "data", "pretty"}  # of an answer, not of a claim


def claim_of(url):
    """The claim that a URL of the service states, as a query string."""
    path, _, query = url.partition("?")
    words = ["encoding=" + path.removeprefix("/v1/")]
    words += [word for word in query.split("&") if word and word.split("=")[0] not in NO_CLAIM]
    return "&".join(words)


class Checker:
    """Counts the URLs that are exact; lines has the others, each with what was said."""

    def __init__(self, service):
        self.service, self.exact, self.lines, self.seen = service, 0, [], set()
        catalogue, _ = service.ask("GET", "/v1/encodings")
        self.inputs = {entry["name"]: {p["name"] for p in entry["params"] if p["type"] == "tensor"}
                       for entry in catalogue.json()["encodings"]}

    def check(self, case, answer):
        for name, stated in (("url", case["claim"]), ("found_url", None)):
            url = answer.get(name)
            if url and self.is_complete(url, case) and (url, stated) not in self.seen:
                self.seen.add((url, stated))
                self.verify(name, url, stated or claim_of(url))

    def is_complete(self, url, case):
        """Whether no tensor that the encoding takes stood in the body of the case, where a URL has
        none."""
        encoding = url.partition("?")[0].removeprefix("/v1/")
        return not self.inputs.get(encoding, set()) & set(case["tensors"])

    def verify(self, name, url, claim):
        table, _ = self.service.ask("GET", url, None, [("Accept", SAFETENSORS)])
        if table.status != 200:
            self.lines.append("%s %s: %d %s" % (name, url, table.status, table.body[:200]))
            return
        answer, _ = self.service.verify(claim, table.body, SAFETENSORS)
        if answer.status == 200 and answer.json().get("verdict") == "exact":
            self.exact += 1
            return
        said = answer.json().get("says") if answer.status == 200 else answer.body[:200]
        self.lines.append("%s %s verified against %s: %d %s" % (name, url, claim, answer.status,
                                                                said))

    def print_lines(self, most):
        for line in self.lines[:most]:
            print("not exact: " + line[:600])
        if len(self.lines) > most:
            print("... and %d more URLs" % (len(self.lines) - most))
