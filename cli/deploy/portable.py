#!/usr/bin/env python3
"""Packs the tool with its libraries and their loader, for Linux without root.

    portable.py portable|wheel BUILD FOLDER

Writes FOLDER/elmo-VERSION-linux-MACHINE.tar.gz, or the same files as the wheel of the distribution
elmo-bilm, from what was built in BUILD with Debian's packages. All files get the time SOURCE_DATE_EPOCH: the same tree and packages
give the same bytes.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

# Offsets in an ELF file's header.
MACHINES = {62: "x86_64", 183: "aarch64"}
DOCUMENTATION = "share/doc/elmo"
LIBRARIES = "libexec/elmo"
# Packages with the libraries of the C and C++ compiler. Programs that use libelmo have their own, which
# must fit their C library.
OF_COMPILER = ("libc6", "libgcc-s1", "libstdc++6")
COMMON_LICENSES = pathlib.Path("/usr/share/common-licenses")

LICENSES = """\
# Licenses of the included libraries

`elmo` is under Apache-2.0 ([LICENSE](../LICENSE)). The files below come from Debian, unchanged. This folder
holds the copyright file of each package, and the licenses that these refer to.

All of them may be distributed with a program under another license: they are permissive, under the MPL or the
LGPL, or under the GPL with GCC's runtime library exception. The LGPL has two conditions, the MPL the first one:

- **Source.** If you distribute these files, also offer the source packages below. Debian keeps every version
  (snapshot.debian.org).
- **Replacing a library.** Replace its file in `libexec/elmo` or its folder `lib`. `bin/elmo` contains parts of the C library; to
  link it with another one, compile [its source](../cli/deploy/launcher.cpp): `g++ -std=c++20 -O2 -static
  launcher.cpp`.

| file | package | version | source package | its version |
|---|---|---|---|---|
"""

# `elmo` belongs to another project on PyPI, whose package `pip install --upgrade elmo` would fetch.
DISTRIBUTION = "elmo_bilm"
MODULES = "lib/python3/dist-packages/"

# Requirements of the package's parts, by the names of the wheel's extras.
EXTRAS = {"runs": ["h5py"], "arrow": ["h5py", "pyarrow"], "torch": ["h5py", "torch"],
          "pandas": ["h5py", "pandas"], "datasets": ["datasets", "h5py"],
          "sklearn": ["scikit-learn"], "spacy": ["spacy"]}

METADATA = """\
Metadata-Version: 2.1
Name: elmo-bilm
Version: {version}
Summary: Contextual word vectors from text (ELMo): the command elmo, with all libraries and models
Keywords: ELMo,biLM,contextual word vectors,embeddings
License: Apache-2.0; models: CC-BY-SA-3.0; libraries: see share/doc/elmo/licenses
Platform: linux_{machine}
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Text Processing :: Linguistic
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy
{extras}Description-Content-Type: text/markdown

{description}"""

ENTRY_POINTS = """\
[spacy_factories]
elmo = elmo.spacy:create
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: portable.py
Root-Is-Purelib: false
Tag: {tag}
"""


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def machine_of(program):
    """The machine that a program is for, which may be another one than this, as `uname -m` prints it."""
    number = int.from_bytes(program.read_bytes()[18:20], "little")
    return MACHINES.get(number, platform.machine())


def needed(program):
    """The loader of a program and all its libraries, as {name: path}."""
    lines = output_of("ldd", program)
    missing = re.findall(r"^\s*(\S+) => not found", lines, re.MULTILINE)
    if missing:
        sys.exit(f"{program}: library {missing[0]} not found")
    libraries = dict(re.findall(r"^\s*(\S+) => (/\S+) \(", lines, re.MULTILINE))
    loader, = re.findall(r"^\s*(/\S+) \(", lines, re.MULTILINE)
    return loader, libraries


def package_of(path):
    """The Debian package that a file is from. Its list may hold the file with or without /usr."""
    for name in (path, os.path.realpath(path)):
        for variant in (name, name.removeprefix("/usr"), "/usr" + name):
            lines = subprocess.run(["dpkg-query", "--search", variant], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, check=False).stdout
            package = re.search(r"^(?!diversion by )([^:, ]+)[:,]", lines, re.MULTILINE)
            if package:
                return package[1]
    sys.exit(f"{path}: belongs to no Debian package, so its license is unknown")


def add_licenses(folder, files):
    """Adds the copyright files of the packages that `files` (name, path) are from, and a table."""
    rows, texts = [], ""
    compiled_in = [path.name for path in folder.iterdir()]
    packages = [(name, package_of(path)) for name, path in sorted(files)]
    packages += [("program", package) for package in sorted(compiled_in)]
    for name, package in packages:
        fields = output_of("dpkg-query", "--show", "--showformat",
                           "${Version} | ${source:Package} | ${source:Version}\n", package)
        rows.append(f"| {name} | {package} | {fields.splitlines()[0]} |\n")
        text = pathlib.Path("/usr/share/doc", package, "copyright").read_bytes()
        (folder / package).write_bytes(text)
        texts += text.decode(errors="replace")
    for name in re.findall(rf"{COMMON_LICENSES}/([\w.+-]*\w)", texts):
        shutil.copyfile(COMMON_LICENSES / name, folder / name)
    (folder / "README.md").write_text(LICENSES + "".join(rows))


def stage(build, prefix):
    """Installs everything below `prefix`: see launcher.cpp for the folders."""
    environment = {name: value for name, value in os.environ.items() if name != "DESTDIR"}
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   env=environment, stdout=subprocess.DEVNULL)
    own = prefix / LIBRARIES
    (own / "share").mkdir(parents=True)
    (prefix / "share/elmo").rename(own / "share/elmo")
    # They would take 24 MB. `elmo perplexity` needs them; `elmo finetune` learns new ones.
    for softmax in own.glob("share/elmo/models/*/softmax.hdf5"):
        softmax.unlink()
    shutil.rmtree(prefix / "bin")
    (prefix / "bin").mkdir()
    shutil.copy(build / "elmo_launcher", prefix / "bin/elmo")
    shutil.copy(build / "elmo", own / "program")
    # A wheel has no symbolic links; linkers read this text instead.
    library, = (prefix / "lib").glob("libelmo.so.*")
    shutil.copy(build / "portable" / library.name, library)
    (prefix / "lib/libelmo.so").unlink()
    (prefix / "lib/libelmo.so").write_text(f"INPUT({library.name})\n")
    for file in (own / "program", library):
        subprocess.run(["strip", file], check=True)

    loader, libraries = needed(own / "program")
    (own / "lib").mkdir()
    for name, path in libraries.items():
        shutil.copyfile(path, own / ("" if package_of(path) in OF_COMPILER else "lib") / name)
    shutil.copy(loader, own / "elmo")

    add_licenses(prefix / DOCUMENTATION / "licenses", [*libraries.items(), ("elmo", loader)])


def contents(prefix):
    """Every file below `prefix`, sorted, as (path below it, mode, bytes)."""
    for path in sorted(prefix.rglob("*")):
        if path.is_file():
            mode = 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644
            yield path.relative_to(prefix).as_posix(), mode, path.read_bytes()


def pack_archive(output, prefix, top, epoch):
    # No name and no time in gzip's header.
    with gzip.GzipFile("", "wb", 9, output, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, mode, data in contents(prefix):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), mode, epoch
            archive.addfile(entry, io.BytesIO(data))


def metadata(version, machine):
    extras = {**EXTRAS, "all": sorted({name for names in EXTRAS.values() for name in names})}
    lines = "".join(f"Provides-Extra: {extra}\n" +
                    "".join(f'Requires-Dist: {name}; extra == "{extra}"\n' for name in names)
                    for extra, names in extras.items())
    page = (pathlib.Path(__file__).parents[1] / "python/README.md").read_text(encoding="utf-8")
    # Outside its folder the page's links to other pages lead nowhere; their text stays.
    page = re.sub(r"\[([^]]*)\]\((?!https://)[^)]*\)", r"\1", page)
    return METADATA.format(version=version, machine=machine, extras=lines, description=page)


def pack_wheel(output, prefix, version, machine, tag, epoch):
    record = []
    date = max(time.gmtime(epoch)[:6], (1980, 1, 1, 0, 0, 0))  # the first that zip knows
    with zipfile.ZipFile(output, "w") as archive:
        def add(name, mode, data):
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3  # Unix: installers keep the mode
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")

        folder = f"{DISTRIBUTION}-{version}"
        for name, mode, data in contents(prefix):
            if name.startswith(MODULES):
                add(name[len(MODULES):], mode, data)
                continue
            scheme = "scripts/elmo" if name == "bin/elmo" else f"data/{name}"
            add(f"{folder}.data/{scheme}", mode, data)
        add(f"{folder}.dist-info/METADATA", 0o644, metadata(version, machine).encode())
        add(f"{folder}.dist-info/WHEEL", 0o644, WHEEL.format(tag=tag).encode())
        add(f"{folder}.dist-info/entry_points.txt", 0o644, ENTRY_POINTS.encode())
        name = f"{folder}.dist-info/RECORD"
        add(name, 0o644, "".join([*record, f"{name},,\n"]).encode())


def main(kind, build, folder):
    build = pathlib.Path(build).resolve()
    if "SOURCE_DATE_EPOCH" not in os.environ:
        sys.exit("SOURCE_DATE_EPOCH is not set; make sets it to the time of the commit")
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    version = output_of(build / "elmo", "--version").split()[1]
    # Any Linux: pip takes this tag with every C library, and nothing of the system's is used.
    machine = machine_of(build / "elmo")
    tag = f"py3-none-linux_{machine}"
    top = f"elmo-{version}-linux-{machine}"
    name = f"{top}.tar.gz" if kind == "portable" else f"{DISTRIBUTION}-{version}-{tag}.whl"
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        prefix, part = pathlib.Path(temporary, "prefix"), pathlib.Path(temporary, name)
        stage(build, prefix)
        with open(part, "wb") as file:
            if kind == "portable":
                pack_archive(file, prefix, top, epoch)
            else:
                pack_wheel(file, prefix, version, machine, tag, epoch)
        output = part.rename(pathlib.Path(folder, name))
    print(f"{output}: {output.stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("portable", "wheel"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
