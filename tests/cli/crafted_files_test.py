#!/usr/bin/env python3
"""HDF5 files that crash or hang the library, and the process that screens them."""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time
import unittest

import h5py

import tasks
import tool
from tool import BAD_INPUT, DONE, ELMO, USAGE, run, start

CHUNK = 32 << 20  # bytes


def add_zeros(group, name, chunks):
    """Adds a small float32 dataset whose reading unpacks `chunks` times 32 MiB."""
    rows = CHUNK // 4
    zeros = group.create_dataset(name, (chunks * rows,), "<f4", chunks=(rows,), compression="gzip",
                                 compression_opts=1)
    zeros[:rows] = 0
    group.file.flush()
    filters, packed = zeros.id.read_direct_chunk((0,))
    for number in range(1, chunks):
        zeros.id.write_direct_chunk((number * rows,), packed, filters)


def children_of(process):
    def children(task):
        try:
            return (task / "children").read_text().split()
        except OSError:  # a thread that has ended
            return []

    tasks_of = pathlib.Path(f"/proc/{process.pid}/task")
    return [int(child) for task in tasks_of.iterdir() for child in children(task)]


def screenings_of(process):
    """The children that have closed the process's files; they have a name of their own by then."""
    def name(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            return ""

    return [child for child in children_of(process) if name(child) == "elmo-screening"]


def kill(child):
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        pass


class CraftedFiles(tasks.TaskRuns):
    small = ("--hidden", 8, "--word-dim", 8, "--char-filters", 4, "--batch", 4, "--threads", 1)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.slow = cls.model.parent / "slow"
        shutil.copytree(cls.model, cls.slow)
        with h5py.File(cls.slow / "weights.hdf5", "a") as file:
            add_zeros(file, "zeros", 1000)

    def test_the_screening_process_gets_no_argument(self):
        for arguments in (("x", "1", "1"), ("shard", "1", "1", self.folder, "0")):
            with self.subTest(arguments):
                self.assert_exit(run("h5-trial/1", *arguments), USAGE)
        named = subprocess.run(["elmo: screening of an HDF5 file"], executable=ELMO, check=False,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        self.assert_exit(named, USAGE)

    def test_a_file_that_hangs_the_library_is_refused(self):
        def limit_own_time():
            resource.setrlimit(resource.RLIMIT_CPU, (3, resource.RLIM_INFINITY))

        result = run("info", self.slow, preexec_fn=limit_own_time)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(b"within 3 seconds of a processor's time; expected a sound HDF5 file, or a "
                      b"faster processor", result.stderr)

    def test_a_crash_of_the_library_ends_in_a_message(self):
        with start("info", self.slow) as process:
            while not (screenings := screenings_of(process)):
                self.assertIsNone(process.poll())
            time.sleep(0.5)
            os.kill(screenings[0], signal.SIGSEGV)
            _, errors = process.communicate()
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn(b"is damaged so that the HDF5 library fails on it", errors)

    def test_a_run_killed_while_a_file_is_screened_leaves_no_lock(self):
        self.train = self.write("train.conll", "He\tO\nruns\tB-ACT\n\n" * 24)
        self.dev = self.write("dev.conll", "He\tO\nruns\tB-ACT\n\n" * 4)
        plan = ("--elmo", "output", "--min-steps", 8, "--evaluations", 1)
        caught = 0
        for _ in range(5):
            with start(*self.arguments(*plan, "--overwrite"), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL) as process:
                while process.poll() is None and not (screenings := screenings_of(process)):
                    pass
                for screening in screenings:
                    self.addCleanup(kill, screening)
                    try:
                        os.kill(screening, signal.SIGSTOP)
                    except ProcessLookupError:
                        pass
                process.send_signal(signal.SIGKILL)
                process.wait(tool.TIMEOUT_SECONDS)
            caught += len(screenings)
            self.assert_exit(run(*self.arguments(*plan, "--overwrite")), DONE)
        self.assertGreater(caught, 0)


if __name__ == "__main__":
    unittest.main()
