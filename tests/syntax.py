#!/usr/bin/env python3
"""Checks the syntax of every unit with clang: syntax.py COMPILE_COMMANDS [CLANG].

Warnings are errors. The commands are those of the build, without options that only g++ knows. Highway's
kernels are read for one instruction set: the others repeat the same text. clang 16 is the first whose
lambdas capture structured bindings.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
# Options that begin with these are for generating code, or take an argument of their own below.
DROPPED = ('-O', '-f', '-flto', '-Werror', '-U_FORTIFY', '-D_FORTIFY', '-m')
KEPT = ('-fopenmp',)
# In omp.h of g++, the attribute malloc has arguments, which clang does not know.
CHECK = ['-fsyntax-only', '-Werror', '-DHWY_COMPILE_ONLY_STATIC', '-D__malloc__(...)=__malloc__']


def syntax_command(clang, command):
    """The arguments of `clang` that check the unit which `command` compiles. omp.h is that of the build's
    compiler, behind clang's own headers."""
    arguments = shlex.split(command)
    headers = subprocess.run([arguments[0], '-print-file-name=include'], stdout=subprocess.PIPE, check=True,
                             text=True).stdout.strip()
    kept = [clang, '-idirafter', headers]
    index = 1
    while index < len(arguments):
        argument = arguments[index]
        if argument == '-o':
            index += 1
        elif argument != '-c' and (argument in KEPT or not argument.startswith(DROPPED)):
            kept.append(argument)
        index += 1
    return kept + CHECK


def check(clang, entry):
    """Returns clang's messages about a unit; empty if there are none."""
    done = subprocess.run(syntax_command(clang, entry['command']), cwd=entry['directory'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return '' if done.returncode == 0 else done.stdout or f"clang failed on {entry['file']}\n"


def main(commands, clang='clang++-16'):
    if not shutil.which(clang):
        print(f'skipped: {clang} is missing')
        return SKIPPED
    with open(commands) as file:
        units = {entry['file']: entry for entry in json.load(file)}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda unit: check(clang, unit), units.values()) if text]
    print(''.join(found), end='')
    print(f'{len(units)} units, {len(found)} with errors')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
