# SPDX-License-Identifier: Apache-2.0
"""hardening.py - what the flags that harden a build leave in its ELF files. Each row names a property, the
flag that gives it and one that takes it away, and has the function that reads it."""

import re
import struct
from collections import namedtuple

from support import elf

# name; the flag; its contrary; machines; of program, library and object those that have it; read(file) is
# whether the file has it
Row = namedtuple("Row", "name flag contrary machines kinds read")

PROGRAM, LIBRARY, OBJECT = "program", "library", "object"
SHIPPED = (PROGRAM, LIBRARY)
BOTH = ("x86_64", "aarch64")

# The instruction at which an indirect call may arrive, which others begin with; the property of objects
# that have it everywhere, and its bits.
ENTRIES = {"x86_64": (b"\xf3\x0f\x1e\xfa",),  # endbr64
           "aarch64": (b"\x5f\x24\x03\xd5", b"\x3f\x23\x03\xd5")}  # bti c, paciasp
BRANCHES = {"x86_64": (0xC0000002, 3),  # IBT, SHSTK
            "aarch64": (0xC0000000, 3)}  # BTI, PAC
# The least share of functions: static ones that are only called directly have no such instruction, nor have
# parts moved away and the start files of libc. Of our program 84 % have it.
MARKED = 0.3

TAKES = re.compile(rb"\x48\x81\xec(....)", re.DOTALL)  # sub $n, %rsp
PROBE = b"\x48\x83\x0c\x24\x00"  # orq $0, (%rsp)
PAGE = 4096


def is_pie(file):
    return file.type == elf.SHARED and bool(file.dynamic(elf.FLAGS_1) & 0x08000000)


def binds_now(file):
    return bool(file.dynamic(elf.FLAGS) & 8 or file.dynamic(elf.FLAGS_1) & 1)


def stack_is_data(file):
    return not file.segment(elf.STACK).flags & elf.EXECUTABLE


def has_canaries(file):
    return "__stack_chk_fail" in file.imports()


def is_fortified(file):
    """Copying functions and printing ones have the form that is given the size of the object."""
    return {"__memcpy_chk", "__snprintf_chk"} <= file.imports()


def probes_pages(file):
    """Some frame is larger than a page, and none moves the stack by more without touching it."""
    code = file.code()
    large = [found for found in TAKES.finditer(code)
             if PAGE <= struct.unpack("<I", found.group(1))[0] < 1 << 31]
    return bool(large) and all(
        struct.unpack("<I", found.group(1))[0] == PAGE and code.startswith(PROBE, found.end())
        for found in large)


def marked(file):
    """The share of functions that begin with an instruction at which an indirect call may arrive."""
    places = file.functions()
    return sum(file.at(place, 4) in ENTRIES[file.machine] for place in places) / len(places)


def marks_functions(file):
    return marked(file) >= MARKED


def claims_branches(file):
    number, bits = BRANCHES[file.machine]
    return file.properties().get(number, 0) & bits == bits


ROWS = [
    Row("loaded at a random address", "-pie", "-no-pie", BOTH, (PROGRAM,), is_pie),
    Row("read-only after relocation", "-Wl,-z,relro", "-Wl,-z,norelro", BOTH, SHIPPED,
        lambda file: file.has(elf.RELRO)),
    Row("bound at the start", "-Wl,-z,now", "-Wl,-z,lazy", BOTH, SHIPPED, binds_now),
    Row("no code on the stack", None, "-Wl,-z,execstack", BOTH, SHIPPED, stack_is_data),
    Row("canaries", "-fstack-protector-strong", "-fno-stack-protector", BOTH, SHIPPED, has_canaries),
    Row("sizes checked", "-D_FORTIFY_SOURCE", "-U_FORTIFY_SOURCE", BOTH, SHIPPED, is_fortified),
    Row("pages probed", "-fstack-clash-protection", "-fno-stack-clash-protection", ("x86_64",), SHIPPED,
        probes_pages),
    Row("indirect calls reach functions", "-fcf-protection=full", "-fcf-protection=none", ("x86_64",),
        SHIPPED, marks_functions),
    Row("indirect calls reach functions", "-mbranch-protection=standard", "-mbranch-protection=none",
        ("aarch64",), SHIPPED, marks_functions),
    Row("objects say so", "-fcf-protection=full", "-fcf-protection=none", ("x86_64",), (OBJECT,),
        claims_branches),
    Row("objects say so", "-mbranch-protection=standard", "-mbranch-protection=none", ("aarch64",),
        (OBJECT,), claims_branches),
]


def rows_of(kind, machine):
    return [row for row in ROWS if kind in row.kinds and machine in row.machines]


def lacks(kind, path):
    """What a program or library lacks, and what each object of an archive does, as sentences."""
    files = elf.members(path) if kind == OBJECT else [(path, elf.read(path))]
    assert files, path
    return ["%s: %s: no sign of %s" % (name, row.name, row.flag or "the linker's default")
            for name, file in files for row in rows_of(kind, file.machine) if not row.read(file)]
