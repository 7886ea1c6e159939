#!/usr/bin/env python3
"""Checks that every file under core, io and cli stays in its room.

    rooms.py [FOLDER]

Prints one line per offence (file, line, what is wrong) and exits with 1 if there is any.
"""

import pathlib
import re
import sys

# A room may include itself and what stands after it here.
ROOMS = {
    "core": ("core",),
    "io": ("io", "core"),
    "cli": ("cli", "io", "core"),
}

# Within each of them a folder may include itself and the ones on lower rungs, from the lowest up;
# folders side by side on a rung know nothing of each other. Files at the top of the room may be
# included by all of its folders, and include none of them except cli's, which start everything.
LADDERS = {
    "core": (
        ("kernels",),
        ("nn",),
        ("model",),
        ("inference",),
        ("train",),
        ("tasks",),
        ("analysis",),
    ),
    "io": (
        ("files", "json"),
        ("text", "h5", "mpi"),
        ("model",),
        ("train", "shard", "outputs"),
        ("labeled",),
        ("tasks",),
        ("engine",),
        ("library",),
    ),
    "cli": (
        ("common",),
        ("embed", "tokenize", "info", "verify", "merge", "export", "mix", "neighbors", "perplexity",
         "change", "similarity", "probe", "senses", "surprisal", "substitutes", "model", "train",
         "task"),
        ("pages",),
    ),
}

# Headers of libraries, of the language where it would break a room's promise, and of what only one
# command needs, with the only folders that may include them.
HEADERS = (
    (r"(oneapi/dnnl/)?dnnl.*", ("core/kernels",)),
    (r"hwy/.*", ("core/kernels",)),
    (r"Eigen/.*", ("core/analysis",)),
    (r"omp\.h", ("core/workers.cpp",)),
    (r"(hdf5|hdf5_hl|H5.*)\.h", ("io/h5",)),
    (r"unicode/.*", ("io/text",)),
    (r"archive(_entry)?\.h", ("io",)),
    (r"xxhash\.h", ("io",)),
    (r"mpi(_.*)?\.h", ("io/mpi",)),
    (r"io/mpi/.*", ("io/mpi", "cli/train")),
    (r"nlohmann/.*", ("io/json",)),
    (r"flatbuffers/.*", ("io/outputs",)),
    (r"CLI/.*", ("cli/common", "cli/program.cpp", "cli/pages")),
    (r"iostream|print", ("cli",)),
    (r"fstream|filesystem", ("io", "cli", "core/resources.cpp")),
)

# Folders that units must not include, even indirectly: text is embedded without
# anything that trains.
UNREACHED = (("cli/embed", "core/train"), ("io/engine/embed", "core/train"))

# Files that make a child process, which must end there.
CHILD_PROCESSES = ("io/h5/screening.cpp",)

# Includes that are forbidden in a command's units: only its options see CLI11's wrapper, and what does
# the work does not print.
COMMAND_UNITS = (
    (r"cli/\w+/(?!options\b)\w+\.(h|cpp)", r"cli/common/option(s|_groups)\.h", "only options may"),
    (r"cli/\w+/report\.(h|cpp)", r"cli/\w+/options\.h", "report may not"),
)

# Only cli prints or ends the process.
PRINTING = re.compile(
    r"\b(?:cout|cerr|clog)\b"
    r"|\b(?:v?f?printf|f?puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort|terminate)\s*\("
)

# Only cli speaks of its options: "--overwrite".
OPTION = re.compile(r"--[a-zA-Z]")

# The words for settings and remedies in messages of core and io.
MESSAGE_WORD = re.compile(r'\b(Setting|S|Remedy)\{"(\w+)"\}')

# Lines that open and close a namespace, or define a type in it; each on its own line, as the
# formatter writes them. A namespace without a name is identified by its file.
NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) \{")
NAMESPACE_END = re.compile(r"\}  // namespace")
TYPE = re.compile(r"(?:class|struct|union|enum class|enum) ([\w:]+)[^;()]*\{")

INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"]")

COMMENT_OR_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"([^(\s]*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


def blank_comments_and_literals(source):
    """The source with comments and literals emptied; line numbers stay the same."""
    return COMMENT_OR_LITERAL.sub(lambda found: "\n" * found.group().count("\n"), source)


def literals(source):
    """The string literals of the source, each with its line."""
    for found in COMMENT_OR_LITERAL.finditer(source):
        if found.group()[0] in 'R"':
            yield source.count("\n", 0, found.start()) + 1, found.group()


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def rung(path):
    """The rung of a path in its room, counted from below, and its folder there; None for files at
    the top of a room."""
    parts = path.split("/")
    if len(parts) < 3:
        return None
    for number, folders in enumerate(LADDERS[parts[0]]):
        if parts[1] in folders:
            return number, parts[1]
    return len(LADDERS[parts[0]]), parts[1]


def climb(path, header):
    """Returns the error of an include within a room, or None."""
    room, folder = path.split("/")[0], path.rsplit("/", 1)[0]
    above, below = rung(path), rung(header)
    if below is None:
        return None
    if above is None:
        return None if room == "cli" else f"{folder} stands below {header}"
    if below[0] > above[0]:
        return f"{folder} stands below {header}"
    if below[0] == above[0] and below[1] != above[1]:
        return f"{folder} stands beside {header}"
    return None


def include_offence(path, quote, header):
    room = path.split("/")[0]
    if quote == '"' and not header.startswith("hwy/"):
        if header.split("/")[0] not in ROOMS:
            return f'"{header}" is not a path from the top folder'
        if header.split("/")[0] not in ROOMS[room]:
            return f"{room} may not include {header}"
        if header.split("/")[0] == room:
            offence = climb(path, header)
            if offence:
                return offence
    for unit, pattern, who in COMMAND_UNITS:
        if re.fullmatch(unit, path) and not within(path, "cli/common"):
            if re.fullmatch(pattern, header):
                return f"{who} include {header}"
    for pattern, folders in HEADERS:
        if re.fullmatch(pattern, header) and not any(within(path, folder) for folder in folders):
            return f"only {' and '.join(folders)} may include {header}"
    return None


def offences_of_file(path, source):
    """Errors that are visible in the file alone."""
    for number, line in enumerate(source.split("\n"), 1):
        include = INCLUDE.match(line)
        offence = include and include_offence(path, *include.groups())
        if offence:
            yield path, number, offence
    if path.startswith("cli/"):
        return
    for number, literal in literals(source):
        if OPTION.search(literal):
            yield path, number, f"only cli speaks of options: {literal}"
    if path in CHILD_PROCESSES:
        return
    for number, line in enumerate(blank_comments_and_literals(source).split("\n"), 1):
        call = PRINTING.search(line)
        if call:
            yield path, number, f"only cli prints or ends the process: {call.group()}"


def types_of(path, source):
    """The types that the source defines, outside of others, as (line, name with namespaces)."""
    namespaces = []
    for number, line in enumerate(source.split("\n"), 1):
        begin, definition = NAMESPACE.match(line), TYPE.match(line)
        if begin:
            namespaces.append(begin.group(1) or path)
        elif NAMESPACE_END.match(line):
            namespaces.pop()
        elif definition:
            yield number, "::".join([*namespaces, definition.group(1)])


def sources(root):
    """The path and the text of every source file in the rooms."""
    for room in ROOMS:
        for file in sorted((root / room).rglob("*")):
            if file.suffix in (".h", ".cpp"):
                yield file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")


def types_defined_twice(root):
    """Types with the same name: the program would silently use the members of one for both."""
    homes = {}
    for path, source in sources(root):
        for number, name in types_of(path, source):
            home = homes.setdefault(name, path)
            if home != path:
                yield path, number, f"{name} is defined in {home} already"


def words_without_meaning(root):
    """Settings in messages that are no option of cli, and remedies that cli does not word."""
    spoken = "".join(source for path, source in sources(root) if path.startswith("cli/"))
    for path, source in sources(root):
        for found in MESSAGE_WORD.finditer(source):
            kind, word = found.groups()
            option = f'--{word.replace("_", "-")}"'
            known = (f'{{"{word}",' if kind == "Remedy" else option) in spoken
            if not known and f'.name == "{word}"' not in spoken:
                line = source.count("\n", 0, found.start()) + 1
                yield path, line, f"cli has no words for {found.group()}"


def circles(edges):
    """The circles of a graph {node: set of nodes}, each as a sorted list (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            circle = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def includes_of(root):
    """Two graphs: the includes of units (a header and its source file), and the includes of folders."""
    units, folders = {}, {}
    for path, source in sources(root):
        unit, folder = path.rsplit(".", 1)[0], path.rsplit("/", 1)[0]
        for line in source.split("\n"):
            include = INCLUDE.match(line)
            if not include or include.group(2).split("/")[0] not in ROOMS:
                continue
            header = include.group(2)
            if header.rsplit(".", 1)[0] != unit:
                units.setdefault(unit, set()).add(header.rsplit(".", 1)[0])
            if header.rsplit("/", 1)[0] != folder:
                folders.setdefault(folder, set()).add(header.rsplit("/", 1)[0])
    return units, folders


def units_and_folders_in_circles(units, folders):
    """Units and folders that include each other in a circle."""
    for kind, edges in (("units", units), ("folders", folders)):
        for circle in circles(edges):
            for member in circle:
                yield member, 0, f"is in a circle of {len(circle)} {kind} through {circle[0]}"


def units_that_reach_too_far(units):
    """Units that reach a folder of UNREACHED, each with the unit that includes it."""
    for begin, end in UNREACHED:
        for unit in sorted(units):
            seen, found = {unit}, [unit] if within(unit, begin) else []
            while found:
                reached = found.pop()
                for other in sorted(units.get(reached, set()) - seen):
                    if within(other, end):
                        yield unit, 0, f"reaches {other} through {reached}"
                        found.clear()
                        break
                    seen.add(other)
                    found.append(other)


def offences(root):
    """All offences under `root` as (path, line, what is wrong)."""
    yield from types_defined_twice(root)
    units, folders = includes_of(root)
    yield from units_and_folders_in_circles(units, folders)
    yield from units_that_reach_too_far(units)
    yield from words_without_meaning(root)
    for path, source in sources(root):
        yield from offences_of_file(path, source)


def main(arguments):
    root = pathlib.Path(arguments[1] if len(arguments) > 1 else ".")
    missing = [room for room in ROOMS if not (root / room).is_dir()]
    if missing:
        print(f"{root} has no folder {missing[0]}: not the top of the project", file=sys.stderr)
        return 2
    found = list(offences(root))
    for path, line, offence in found:
        print(f"{path}:{line}: {offence}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
