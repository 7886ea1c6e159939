"""Reads the executable's headers for its tests."""

import pathlib
import struct
import unittest

# Names and numbers of elf.h.
ET_DYN = 3
PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 2, 3, 0x6474E551, 0x6474E552
PF_X = 1
DT_NEEDED, DT_STRTAB, DT_STRSZ, DT_SONAME, DT_RPATH, DT_TEXTREL = 1, 5, 10, 14, 15, 22
DT_RUNPATH, DT_FLAGS_1 = 29, 0x6FFFFFFB
DF_1_NOW, DF_1_PIE = 0x1, 0x8000000


class Elf:
    """The headers of a 64-bit executable in the byte order of most machines."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        if data[:6] != b"\x7fELF\x02\x01":
            raise unittest.SkipTest(f"{path} is no little-endian 64-bit ELF file")
        self.type, = struct.unpack_from("<H", data, 16)
        offset, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        # type, flags, offset, virtual address, physical address, size in the file, …
        self.segments = [struct.unpack_from("<IIQQQQ", data, offset + number * size)
                         for number in range(count)]
        self.loader = next((data[at:at + length].rstrip(b"\0").decode()
                            for kind, _, at, _, _, length in self.segments if kind == PT_INTERP), None)
        dynamic = next(segment for segment in self.segments if segment[0] == PT_DYNAMIC)
        self.dynamic = {}
        for tag, value in struct.iter_unpack("<QQ", data[dynamic[2]:dynamic[2] + dynamic[5]]):
            self.dynamic.setdefault(tag, []).append(value)
        at = self.offset(self.dynamic[DT_STRTAB][0])
        self.strings = data[at:at + self.dynamic[DT_STRSZ][0]]

    def offset(self, address):
        """The position in the file of the byte at a virtual address."""
        return next(address - start + offset for _, _, offset, start, _, size in self.segments
                    if start <= address < start + size)

    def texts(self, tag):
        return [self.strings[at:self.strings.index(b"\0", at)].decode()
                for at in self.dynamic.get(tag, [])]

    def flags(self, tag):
        return self.dynamic.get(tag, [0])[0]

    def segment_flags(self, kind):
        return [segment[1] for segment in self.segments if segment[0] == kind]
