# SPDX-License-Identifier: Apache-2.0
"""elf.py - reads what a 64-bit little-endian ELF file says of itself: segments, dynamic flags, imported
symbols, the properties that its notes claim, its code and where its functions begin. An archive is a row
of such files."""

import struct
from collections import namedtuple

MACHINES = {62: "x86_64", 183: "aarch64"}
OBJECT, SHARED = 1, 3  # e_type: what the linker reads, what the loader places where it likes
LOAD, DYNAMIC, EH_FRAME, STACK, RELRO = 1, 2, 0x6474E550, 0x6474E551, 0x6474E552
EXECUTABLE = 1  # of p_flags
NOTE, DYNSYM = 7, 11  # sh_type
FLAGS, FLAGS_1 = 30, 0x6FFFFFFB  # entries of the dynamic segment
PROPERTIES = 5  # n_type of .note.gnu.property

Segment = namedtuple("Segment", "type flags offset address path size memory align")
Section = namedtuple("Section", "name type flags address offset size link info align entry")


class Elf:
    def __init__(self, data):
        assert data[:6] == b"\x7fELF\x02\x01", "no 64-bit little-endian ELF file"
        self.data = data
        (self.type, machine, _, _, segments, sections, _, _, _, count, _, rows, _) = struct.unpack_from(
            "<HHIQQQIHHHHHH", data, 16)
        self.machine = MACHINES[machine]
        self.segments = [Segment(*struct.unpack_from("<IIQQQQQQ", data, segments + 56 * i))
                         for i in range(count)]
        self.sections = [Section(*struct.unpack_from("<IIQQQQIIQQ", data, sections + 64 * i))
                         for i in range(rows)]

    def has(self, kind):
        return any(segment.type == kind for segment in self.segments)

    def segment(self, kind):
        return next(segment for segment in self.segments if segment.type == kind)

    def dynamic(self, tag):
        """The value of an entry of the dynamic segment, 0 without one."""
        segment = self.segment(DYNAMIC)
        entries = struct.iter_unpack("<QQ", self.data[segment.offset:segment.offset + segment.size])
        return next((value for name, value in entries if name == tag), 0)

    def imports(self):
        """The names of symbols that other files define."""
        names = set()
        for table in self.sections:
            if table.type == DYNSYM:
                strings = self.sections[table.link].offset
                for name, _, _, where, _, _ in struct.iter_unpack(
                        "<IBBHQQ", self.data[table.offset:table.offset + table.size]):
                    if where == 0:
                        start = strings + name
                        names.add(self.data[start:self.data.index(b"\0", start)].decode())
        return names

    def properties(self):
        """{number: bits} of .note.gnu.property."""
        found = {}
        for section in self.sections:
            if section.type != NOTE:
                continue
            name_size, size, kind = struct.unpack_from("<III", self.data, section.offset)
            if kind != PROPERTIES or self.data[section.offset + 12:][:name_size] != b"GNU\0":
                continue
            at, end = section.offset + 16, section.offset + 16 + size
            while at < end:
                number, length = struct.unpack_from("<II", self.data, at)
                found[number] = int.from_bytes(self.data[at + 8:at + 8 + length], "little")
                at += 8 + (length + 7) // 8 * 8
        return found

    def code(self):
        """The bytes of executable segments, one after the other."""
        return b"".join(self.data[one.offset:one.offset + one.size] for one in self.segments
                        if one.type == LOAD and one.flags & EXECUTABLE)

    def at(self, address, size):
        """Bytes at an address of the running program."""
        for one in self.segments:
            if one.type == LOAD and one.address <= address < one.address + one.size:
                start = one.offset + address - one.address
                return self.data[start:start + size]
        return b""

    def functions(self):
        """Addresses where functions begin, and those parts of them that the compiler has moved away: the
        table by which exceptions find them, which a stripped file has too."""
        segment = self.segment(EH_FRAME)
        version, _, counts, entries, _, count = struct.unpack_from("<BBBBiI", self.data, segment.offset)
        assert (version, counts, entries) == (1, 0x03, 0x3B), "another form of .eh_frame_hdr"
        rows = struct.iter_unpack("<ii", self.data[segment.offset + 12:][:8 * count])
        return [segment.address + place for place, _ in rows]


def read(path):
    with open(path, "rb") as file:
        return Elf(file.read())


def members(path):
    """[(name, Elf)] of an archive of object files."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"!<arch>\n", path
    found, at = [], 8
    while at < len(data):
        name, size = data[at:at + 16].decode().strip(), int(data[at + 48:at + 58])
        if name not in ("/", "//"):  # its index, and its long names
            found.append((name, Elf(data[at + 60:at + 60 + size])))
        at += 60 + size + size % 2
    return found
