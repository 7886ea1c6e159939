#!/usr/bin/env python3
"""The check of the rooms finds violations."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import rooms


class Rooms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for room in rooms.ROOMS:
            (self.root / room).mkdir()

    def offences_of(self, path, source):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
        return [(line, offence) for _, line, offence in rooms.offences(self.root)]

    def assert_refused(self, path, source, word):
        """Asserts one violation, apart from a circle that the include may close."""
        found = [each for each in self.offences_of(path, source) if "circle" not in each[1]]
        self.assertEqual(len(found), 1, found)
        self.assertIn(word, found[0][1])

    def assert_accepted(self, path, source):
        self.assertEqual(self.offences_of(path, source), [])

    def test_rooms_include_only_lower_ones(self):
        self.assert_accepted("cli/a.cpp", '#include "io/a.h"\n#include "core/a.h"\n')
        self.assert_accepted("io/a.cpp", '#include "core/a.h"\n')
        self.assert_refused("core/a.cpp", '#include "io/b.h"\n', "io/b.h")

    def test_io_does_not_include_cli(self):
        self.assert_refused("io/a.cpp", '\n#include "cli/a.h"\n', "cli/a.h")

    def test_core_does_not_include_cli(self):
        self.assert_refused("core/a.h", '#  include "cli/a.h"\n', "cli/a.h")

    def test_only_options_of_commands_include_the_wrapper_of_cli11(self):
        self.assert_accepted("cli/mix/options.cpp", '#include "cli/common/options.h"\n')
        self.assert_accepted("cli/common/option_groups.cpp", '#include "cli/common/options.h"\n')
        self.assert_refused("cli/mix/report.cpp", '#include "cli/common/options.h"\n', "options may")

    def test_embedding_does_not_include_training(self):
        self.assert_accepted("io/labeled/a.h", '#include "core/tasks/a.h"\n')
        self.assert_accepted("io/engine/embed/run.cpp", '#include "io/labeled/a.h"\n')
        self.assert_refused("core/tasks/a.cpp", '#include "core/train/session.h"\n',
                            "reaches core/train/session through core/tasks/a")

    def test_the_engine_does_not_print(self):
        self.assert_accepted("io/engine/mix.cpp", '#include "io/shard/shard_run.h"\n')
        for source, word in (('#include "cli/common/reporter.h"', "io may not include cli"),
                             ("#include <CLI/App.hpp>", "CLI/App.hpp"),
                             ("std::cout << 1;", "only cli prints")):
            with self.subTest(source=source):
                self.assert_refused("io/engine/mix.cpp", f"{source}\n", word)

    def test_messages_name_options_and_remedies_of_cli(self):
        self.offences_of("cli/a.cpp", 'add("-k,--top-k"); {"wait", "; try later"}; setting.name == "job"')
        self.assert_accepted("io/a.cpp", 'f(Setting{"top_k"}, Setting{"job"}, Remedy{"wait"});')
        self.assert_refused("io/a.cpp", '\nf(Setting{"top"});', 'Setting{"top"}')
        self.assert_refused("io/a.cpp", 'f(Remedy{"top_k"});', 'Remedy{"top_k"}')

    def test_only_training_includes_ranks(self):
        self.assert_accepted("cli/train/options.cpp", '#include "io/mpi/ranks.h"\n')
        self.assert_refused("cli/program.cpp", '#include "io/mpi/ranks.h"\n', "cli/train")

    def test_the_ladder_of_core_is_respected(self):
        self.assert_accepted("core/model/a.cpp", '#include "core/kernels/a.h"\n')
        self.assert_accepted("core/kernels/a.cpp", '#include "core/error.h"\n')
        self.assert_refused("core/kernels/b.cpp", '#include "core/nn/a.h"\n', "core/nn/a.h")

    def test_includes_are_paths_from_the_top(self):
        self.assert_refused("io/text/a.cpp", '#include "../h5/file.h"\n', "from the top")

    def test_each_library_has_its_folder(self):
        homes = {
            "oneapi/dnnl/dnnl.hpp": "core/kernels",
            "dnnl.hpp": "core/kernels",
            "hwy/highway.h": "core/kernels",
            "Eigen/Eigenvalues": "core/analysis",
            "hdf5.h": "io/h5",
            "unicode/brkiter.h": "io/text",
            "archive.h": "io",
            "archive_entry.h": "io",
            "xxhash.h": "io",
            "mpi.h": "io/mpi",
            "nlohmann/json.hpp": "io/json",
            "flatbuffers/flatbuffers.h": "io/outputs",
            "CLI/App.hpp": "cli/common",
        }
        for header, home in homes.items():
            for folder in ("core", "core/analysis", "core/kernels", "io", "io/h5", "io/json",
                           "io/mpi", "io/outputs", "io/text", "cli", "cli/common"):
                at_home = rooms.within(folder, home)
                with self.subTest(header=header, folder=folder):
                    found = self.offences_of(f"{folder}/a.cpp", f"#include <{header}>\n")
                    self.assertEqual(found == [], at_home, found)
                (self.root / folder / "a.cpp").unlink()

    def test_core_does_not_name_files(self):
        self.assert_accepted("io/a.cpp", "#include <filesystem>\n")
        self.assert_refused("core/a.cpp", "#include <filesystem>\n", "filesystem")

    def test_core_and_io_do_not_print_or_exit(self):
        for statement in ("std::cout << 1;", "std::cerr << 1;", 'printf("%d", 1);', "std::exit(1);",
                          'std::fprintf(stderr, "");', "std::abort();", 'std::puts("");'):
            for path in ("core/a.cpp", "io/a.cpp"):
                with self.subTest(statement=statement, path=path):
                    self.assert_refused(path, f"int a;\n{statement}\n", "only cli prints")
                (self.root / path).unlink()
            self.assert_accepted("cli/a.cpp", statement)

    def test_core_and_io_do_not_name_options(self):
        for path in ("core/a.cpp", "io/a.cpp", "io/engine/a.cpp"):
            for literal in ('"give --lanes"', 'R"(--lanes)"', '"a" "b --lanes"'):
                with self.subTest(path=path, literal=literal):
                    self.assert_refused(path, f"\nthrow f({literal});\n", "only cli speaks")
                (self.root / path).unlink()
            self.assert_accepted(path, '// --lanes\n--a; f(" -- ", "a--", \'-\');\n')
        self.assert_accepted("cli/a.cpp", 'f("give --lanes");\n')

    def test_a_type_is_defined_once(self):
        self.assert_accepted("core/a.h", "namespace elmo {\nclass A {\n  struct Row {\n  };\n};\n"
                             "struct Forward;\n}  // namespace elmo\n")
        self.assert_accepted("io/a.cpp", "namespace elmo {\nnamespace {\nclass A {\n};\n"
                             "}  // namespace\n}  // namespace elmo\n")
        self.assert_accepted("io/b.h", "namespace elmo::h5 {\nclass A {\n};\n"
                             "}  // namespace elmo::h5\nclass A {\n};\n")
        self.assert_accepted("core/a.cpp", "namespace elmo {\nstruct A::Row {\n};\n"
                             "}  // namespace elmo\n")
        self.assert_refused("io/c.h", "namespace elmo {\nenum class A : int { one };\n"
                            "}  // namespace elmo\n", "elmo::A is defined in core/a.h already")

    def test_the_ladders_of_io_and_cli_are_respected(self):
        self.assert_accepted("io/text/a.cpp", '#include "io/files/a.h"\n#include "io/a.h"\n')
        for path, header, word in (("io/files/b.cpp", "io/text/b.h", "io/files stands below"),
                                   ("io/h5/b.cpp", "io/text/b.h", "io/h5 stands beside"),
                                   ("io/b.cpp", "io/text/b.h", "io stands below")):
            self.assert_refused(path, f'#include "{header}"\n', word)
            (self.root / path).unlink()
        self.assert_accepted("cli/a.cpp", '#include "cli/embed/a.h"\n')
        self.assert_accepted("cli/embed/b.cpp", '#include "cli/common/a.h"\n')
        self.assert_refused("cli/common/b.cpp", '#include "cli/embed/a.h"\n', "cli/common stands below")

    def test_a_folder_without_a_rung_may_not_be_included(self):
        self.assert_refused("io/shard/a.cpp", '#include "io/attic/a.h"\n', "stands below")

    def test_circles_are_found(self):
        (self.root / "core/nn").mkdir()
        (self.root / "core/nn/a.h").write_text('#include "core/nn/b.h"\n', encoding="utf-8")
        found = self.offences_of("core/nn/b.cpp", '#include "core/nn/a.h"\n')
        self.assertEqual(found, [(0, "is in a circle of 2 units through core/nn/a")] * 2)
        (self.root / "core/nn/b.cpp").unlink()
        self.assert_accepted("core/nn/a.cpp", '#include "core/nn/a.h"\n')
        (self.root / "core/nn/layers").mkdir()
        (self.root / "core/nn/layers/b.h").write_text('#include "core/nn/c.h"\n', encoding="utf-8")
        found = self.offences_of("core/nn/d.cpp", '#include "core/nn/layers/b.h"\n')
        self.assertEqual(found, [(0, "is in a circle of 2 folders through core/nn")] * 2)

    def test_comments_and_strings_are_ignored(self):
        self.assert_accepted("core/a.cpp", '// abort()\n/* std::cout\n exit(1) */ f("exit(1)");\n')
        self.assert_accepted("io/a.cpp", 'f(R"(exit(1))"); g(1\'000\'000, \'"\'); h("\\"abort()");\n')
        self.assert_accepted("io/b.cpp", 'std::snprintf(a, 1, "%d", 1); on_exit_code(); reprint(1);\n')

    def test_a_violation_is_named_with_its_line_and_fails_the_command(self):
        (self.root / "core/a.cpp").write_text('\n\n#include "io/a.h"\n', encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(rooms.main(["rooms.py", str(self.root)]), 1)
        self.assertEqual(output.getvalue(), "core/a.cpp:3: core may not include io/a.h\n")

    def test_a_clean_tree_passes_and_a_folder_without_rooms_fails(self):
        self.assertEqual(rooms.main(["rooms.py", str(self.root)]), 0)
        (self.root / "io").rmdir()
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(rooms.main(["rooms.py", str(self.root)]), 2)


if __name__ == "__main__":
    unittest.main()
