#!/usr/bin/env python3
"""The executable is built as distributions require of programs that read untrusted files."""

import unittest

from elf import (DF_1_NOW, DF_1_PIE, DT_FLAGS_1, ET_DYN, PF_X, PT_GNU_RELRO, PT_GNU_STACK, Elf)
from tool import ELMO


class Hardening(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.elf = Elf(ELMO)

    def test_the_program_is_position_independent_and_bound_at_start(self):
        self.assertEqual(self.elf.type, ET_DYN)
        self.assertTrue(self.elf.flags(DT_FLAGS_1) & DF_1_PIE)
        self.assertTrue(self.elf.flags(DT_FLAGS_1) & DF_1_NOW)
        self.assertTrue(self.elf.segment_flags(PT_GNU_RELRO))

    def test_the_stack_is_guarded_and_not_executable(self):
        self.assertEqual([flags & PF_X for flags in self.elf.segment_flags(PT_GNU_STACK)], [0])
        self.assertIn(b"\0__stack_chk_fail\0", self.elf.strings)

    def test_the_c_library_checks_its_buffers(self):
        checked = [name for name in self.elf.strings.split(b"\0")
                   if name.startswith(b"__") and name.endswith(b"_chk")]
        self.assertTrue(checked)


if __name__ == "__main__":
    unittest.main()
