# SPDX-License-Identifier: Apache-2.0
"""seccomp_profile.py - the default seccomp profile of containers, as a runtime takes it: for a process without
capabilities, on one architecture."""

import json

# Of the package golang-github-containers-common, which buildah depends on.
PATH = "/usr/share/containers/seccomp.json"
ARCHITECTURES = {"amd64": "SCMP_ARCH_X86_64", "arm64": "SCMP_ARCH_AARCH64"}


def applies(rule, arch):
    """Whether a rule is for this architecture and a process without capabilities."""
    includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
    return not includes.get("caps") and arch in includes.get("arches", [arch]) and \
        arch not in excludes.get("arches", [])


def seccomp(arch):
    with open(PATH, encoding="utf-8") as file:
        profile = json.load(file)
    rules = []
    for rule in profile["syscalls"]:
        if applies(rule, arch):
            rules.append({key: rule[key] for key in ("names", "action", "args", "errnoRet")
                          if rule.get(key)})
    return {"defaultAction": profile["defaultAction"], "defaultErrnoRet": profile["defaultErrnoRet"],
            "architectures": [ARCHITECTURES[arch]], "syscalls": rules}
