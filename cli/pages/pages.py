#!/usr/bin/env python3
"""Makes the pages that follow from the definition of the tool's options:

    pages.py ELMO_PAGES SOURCE_FOLDER OUTPUT_FOLDER

ELMO_PAGES prints the definition as JSON; SOURCE_FOLDER/cli/pages/manual.md holds the text around the options. The
pages are written below OUTPUT_FOLDER, under the names that they have in the source folder.
"""

import json
import pathlib
import re
import subprocess
import sys

MADE_BY = "Made by `make docs` from the options' definitions."
FOLDERS, FILES = ("DIR", "RUN"), ("FILE", "PATH", "MODEL")  # units of arguments


# The definition.

def is_file(unit):
    """Returns true for FILE, and for a choice with it, as in NAME|FILE."""
    return any(choice in FILES for choice in unit.split("|"))


def shared(option):
    """True if every command and the tool itself take it."""
    return option["names"][-1] in ("--help", "--version")


def value(option):
    """"N", "text|tokens"; empty for a flag."""
    return "|".join(option["choices"]) or option["unit"]


def groups_of(definition):
    """[heading, options] of what is not positional, those without a heading first. Options without a group are
    hidden."""
    groups = {"": []}
    for option in definition["options"]:
        if option["group"] and not option["positional"] and not shared(option):
            heading = "" if option["group"] == "Options" else option["group"]
            groups.setdefault(heading, []).append(option)
    return [[heading, options] for heading, options in groups.items() if options]


class Tool:
    """The commands in their order. One with commands of its own stands for those."""

    def __init__(self, definition):
        self.summary = definition["summary"]
        self.options = definition["options"]
        self.commands = []
        self.families = {}  # first word: (summary, second words)
        for command in definition["commands"]:
            members = command["commands"]
            if members:
                self.families[command["name"]] = (command["summary"],
                                                  [member["name"] for member in members])
            for member in members or [command]:
                self.add(member, command["name"] + " " if members else "")

    def add(self, definition, prefix):
        command = {"name": prefix + definition["name"], "summary": definition["summary"],
                   "notes": definition["notes"], "groups": groups_of(definition),
                   "arguments": [each for each in definition["options"] if each["positional"]]}
        # The first command with equal options under the same heading, in place of them.
        command["same"] = {
            heading: next((other["name"] for other in self.commands
                           if heading and [heading, options] in other["groups"]), None)
            for heading, options in command["groups"]}
        self.commands.append(command)

    def first_words(self):
        """The first word of each command, once, with what a shell shows beside it."""
        words = {}
        for command in self.commands:
            word = command["name"].split(" ")[0]
            words.setdefault(word, self.families.get(word, (command["summary"],))[0])
        return words


def usage(command):
    """"embed [FILE...]" """
    text = command["name"]
    for argument in command["arguments"]:
        name = argument["names"][0] + ("..." if argument["repeated"] else "")
        text += f" {name}" if argument["required"] else f" [{name}]"
    return text


def short(description):
    """The first sentence, without marks: what a shell shows beside a word."""
    text = description.replace("`", "")
    ends = [text.find(end) for end in (". ", "; ", ": ")]
    return text[:min((end for end in ends if end >= 0), default=len(text))]


def marked(text, code, plain):
    """`text` with `code` applied to option names (--threads) and to what stands in `backquotes`, `plain` to the
    rest."""
    result, end = "", 0
    for found in re.finditer(r"`([^`]*)`|--[a-z-]*", text):
        result += plain(text[end:found.start()])
        result += code(found.group() if found.group(1) is None else found.group(1))
        end = found.end()
    return result + plain(text[end:])


def lines_of(text):
    """The lines, the last of which may lack its line feed."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


# The manual page.

def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def bold(text):
    return f"\\fB{roff(text)}\\fR"


def roff_prose(text):
    line = marked(text, bold, roff)
    return ("\\&" if line.startswith((".", "'")) else "") + line + "\n"


def roff_option(option):
    names = ", ".join(map(bold, option["names"]))
    if option["unit"]:
        names += f" \\fI{roff(option['unit'])}\\fR"
    if option["choices"]:
        names += " " + "|".join(map(bold, option["choices"]))
    text = option["description"] + "."
    if option["range"]:
        text += f" Range: {option['range']}."
    if option["default"]:
        text += f" Default: {option['default']}."
    if option["required"] and not option["positional"]:
        text += " Required."
    return f".TP\n{names}\n{roff_prose(text)}"


def roff_notes(text):
    """Paragraphs, and lines that begin with two spaces as they are."""
    page, block = "", ""
    for line in lines_of(text + "\n\n"):
        if line.startswith("  "):
            block += roff(line) + "\n"
            continue
        if block:
            page += f".PP\n.nf\n{block}.fi\n"
        block = ""
        if line:
            page += ".PP\n" + roff_prose(line)
    return page


def roff_command(command):
    text = f".SS \"elmo {usage(command)}\"\n" + roff_prose(command["summary"] + ".")
    text += "".join(map(roff_option, command["arguments"]))
    for heading, options in command["groups"]:
        if command["same"][heading]:
            text += f".PP\n{heading}: same as {bold('elmo ' + command['same'][heading])}.\n"
            continue
        text += (f".PP\n{heading}:\n" if heading else "") + "".join(map(roff_option, options))
    return text + roff_notes(command["notes"])


def roff_commands(tool):
    return ("".join(map(roff_command, tool.commands)) + ".SS \"All commands\"\n"
            + "".join(map(roff_option, tool.options)))


def roff_synopsis(tool):
    return ".br\n".join(bold("elmo " + command["name"])
                        + roff(usage(command)[len(command["name"]):]) + " [\\fIoptions\\fR]\n"
                        for command in tool.commands)


def roff_block(block):
    """A heading, an item or a paragraph of manual.md, its lines joined."""
    if block.startswith("## "):
        return f".SH {block[3:].upper()}\n"
    if block.startswith("- "):
        name, colon, text = block[2:].partition(": ")
        if not colon:
            sys.exit(f"manual.md: an item without a colon: {block}")
        return ".TP\n" + roff_prose(name) + roff_prose(text)
    if "](" in block:
        sys.exit(f"manual.md: a link in: {block}")
    return ".PP\n" + roff_prose(block)


def manual_page(tool, source):
    page = (".\\\" Made by make docs; its sources are the options' definitions and cli/pages/manual.md.\n"
            ".TH ELMO 1 \"\" \"elmo\" \"User Commands\"\n.SH NAME\nelmo \\- "
            + roff(tool.summary.rpartition(".")[0]) + "\n")
    block, code = [], None

    def ended():
        text = roff_block(" ".join(block)) if block else ""
        block.clear()
        return text

    for line in lines_of(source[source.index("## "):] + "\n\n"):
        if line.startswith("```"):
            page += ended()
            if code is not None:
                page += f".PP\n.nf\n{code}.fi\n"
            code = "" if code is None else None
        elif code is not None:
            code += roff(line) + "\n"
        elif line == "@commands@":
            page += roff_commands(tool)
        elif line == "@synopsis@":
            page += roff_synopsis(tool)
        elif not line:
            page += ended()
        else:
            if line.startswith(("- ", "#")):
                page += ended()
            block.append(line.lstrip(" "))
    return page


# OPTIONS.md.

def markdown(text):
    return marked(text, "`{}`".format, str)


def markdown_row(option):
    names = [f"`{name}`" for name in option["names"]]
    if value(option):
        names[-1] = f"`{option['names'][-1]} {value(option)}`"
    unset = "required" if option["required"] else option["default"]
    cells = (", ".join(names).replace("|", "\\|"), markdown(unset), option["range"],
             markdown(option["description"]).replace("|", "\\|") + ".")
    return f"| {' | '.join(cells)} |\n"


def markdown_table(options):
    return ("| option | default | range | what it does |\n|---|---|---|---|\n"
            + "".join(map(markdown_row, options)))


def wrapped(text, width):
    """Lines of at most `width` bytes; those that begin with two spaces, and empty ones, as they are."""
    lines = []
    for paragraph in lines_of(text):
        if not paragraph or paragraph.startswith("  "):
            lines.append(paragraph)
            continue
        line = ""
        for word in paragraph.split(" "):
            if line and len(line.encode()) + 1 + len(word.encode()) > width:
                lines.append(line)
                line = word
            else:
                line += (" " if line else "") + word
        lines.append(line)
    return lines


def markdown_notes(text):
    page, fenced = "", False
    for line in wrapped(markdown(text), 100):
        as_it_is = line.startswith("  ")
        if as_it_is != fenced:
            page += "```text\n" if as_it_is else "```\n"
        fenced = as_it_is
        page += line + "\n"
    return page


def markdown_command(command):
    text = f"\n### elmo {usage(command)}\n\n{command['summary']}.\n"
    for argument in command["arguments"]:
        text += f"\n`{argument['names'][0]}`: {markdown(argument['description'])}.\n"
    for heading, options in command["groups"]:
        if command["same"][heading]:
            text += f"\n{heading}: same as `elmo {command['same'][heading]}`.\n"
        else:
            text += (f"\n{heading}:\n" if heading else "") + "\n" + markdown_table(options)
    return text + ("\n" + markdown_notes(command["notes"]) if command["notes"] else "")


def option_page(tool, source):
    synopsis = "".join(f"elmo {usage(command)} [options]\n" for command in tool.commands)
    commands = ("".join(map(markdown_command, tool.commands)) + "\n### All commands\n\n"
                + markdown_table(tool.options))
    return ("<!-- Made by `make docs`; its sources are the options' definitions and cli/pages/manual.md. -->\n"
            + source.replace("@synopsis@\n", f"```text\n{synopsis}```\n")
            .replace("\n@commands@\n", commands))


# Completions.

BASH_HEAD = r"""# Bash completion for elmo. @made_by@

_elmo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= words= kind= word
  if [[ $current == = ]]; then  # bash takes --option=value for three words
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    command=${command:+$command }$word
    case $command in @families@) ;; *) break ;; esac
  done

"""

BASH_TAIL = r"""
  COMPREPLY=()
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $kind == files ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif [[ $kind == folders ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  fi
}

complete -F _elmo elmo
"""


def bash_action(option):
    if option["choices"]:
        return f"words='{' '.join(option['choices'])}'"
    unit = option["names"][0] if option["positional"] else option["unit"]
    return "kind=files" if is_file(unit) else "kind=folders" if unit in FOLDERS else "words="


def bash_completion(tool):
    values, options, arguments = {}, "", ""
    for command in tool.commands:
        words = ["--help", "--version"]
        for option in (option for _, options_of in command["groups"] for option in options_of):
            words += [name for name in option["names"] if name.startswith("--")]
            if value(option):
                values.setdefault(bash_action(option), []).extend(
                    f"'{command['name']} {name}'" for name in option["names"])
        options += f"          '{command['name']}') words='{' '.join(words)}' ;;\n"
        actions = {bash_action(argument) for argument in command["arguments"]}
        if actions:  # files, if one argument is a file: folders are among them
            arguments += f"          '{command['name']}') {min(actions)} ;;\n"
    text = BASH_HEAD.replace("@made_by@", MADE_BY).replace("@families@",
                                                         " | ".join(tool.families) or "''")
    text += "  case \"$command $previous\" in\n"
    for action in sorted(values):
        text += f"    {' | '.join(values[action])})\n      {action} ;;\n"
    own = " ".join(option["names"][-1] for option in tool.options)
    text += f"    *)\n      if [[ -z $command && $current == -* ]]; then\n        words='{own}'\n"
    text += f"      elif [[ -z $command ]]; then\n        words='{' '.join(tool.first_words())}'\n"
    for word, (_, members) in tool.families.items():
        text += (f"      elif [[ $command == {word} && $current != -* ]]; then\n"
                 f"        words='{' '.join(members)}'\n")
    return (text + "      elif [[ $current == -* ]]; then\n        case $command in\n" + options
            + "        esac\n      else\n        case $command in\n" + arguments
            + "        esac\n      fi ;;\n  esac\n" + BASH_TAIL)


def zsh_word(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_value(unit, choices=()):
    if choices:
        return f":word:({' '.join(choices)})"
    if is_file(unit):
        return f":{unit}:_files"
    if unit in FOLDERS:
        return f":{unit}:_files -/"
    return f":{unit}: " if unit else ""


def zsh_specifications(option):
    """One a name: each excludes the others."""
    names = option["names"]
    others = f"({' '.join(names)})" if len(names) > 1 else ""
    told = re.sub(r"[\\\[\]:]", r"\\\g<0>", short(option["description"]))
    text = ""
    for name in names:
        joined = "" if not value(option) else "=" if name.startswith("--") else "+"
        text += " \\\n        " + zsh_word(f"{others}{name}{joined}[{told}]"
                                           + zsh_value(option["unit"], option["choices"]))
    return text


def zsh_completion(tool):
    text = f"#compdef elmo\n# {MADE_BY}\n\n_elmo() {{\n  local -a commands=(\n"
    for word, summary in tool.first_words().items():
        text += "    " + zsh_word(word + ":" + summary.replace(":", "\\:")) + "\n"
    text += "  )\n  if (( CURRENT == 2 )); then\n    if [[ $words[2] == -* ]]; then\n      _arguments"
    text += "".join(map(zsh_specifications, tool.options))
    text += ("\n    else\n      _describe -t commands command commands\n    fi\n    return\n  fi\n"
             "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n")
    for word, (_, members) in tool.families.items():
        text += (f"  if [[ $command == {word} ]]; then\n    if (( CURRENT == 2 )); then\n"
                 f"      compadd {' '.join(members)}\n      return\n    fi\n"
                 "    command+=\" $words[2]\"\n    shift words\n    (( CURRENT-- ))\n  fi\n")
    text += "  case $command in\n"
    for command in tool.commands:
        options = [tool.options[0], *(option for _, of in command["groups"] for option in of)]
        text += "    " + command["name"].replace(" ", "\\ ") + ")\n      _arguments -s -S"
        text += "".join(map(zsh_specifications, options))
        for argument in command["arguments"]:
            text += " \\\n        " + zsh_word(("*" if argument["repeated"] else "1")
                                               + zsh_value(argument["names"][0]))
        text += " ;;\n"
    return text + "  esac\n}\n\n_elmo \"$@\"\n"


def fish_word(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(option):
    if option["choices"]:
        return " -x -a " + fish_word(" ".join(option["choices"]))
    if is_file(option["unit"]):
        return " -r -F"
    if option["unit"] in FOLDERS:
        return " -x -a '(__fish_complete_directories)'"
    return " -x" if option["unit"] else ""


def fish_option(option, condition):
    names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
                    for name in option["names"])
    return (f"complete -c elmo{condition}{names}{fish_value(option)} -d "
            + fish_word(short(option["description"])) + "\n")


def fish_condition(tool, name):
    """When that command is being completed."""
    seen = "__fish_seen_subcommand_from "
    first, _, second = name.partition(" ")
    if second:
        return f"{seen}{first}; and {seen}{second}"
    return seen + name + "".join(f"; and not {seen}{word}"
                                 for word, (_, members) in tool.families.items() if name in members)


def fish_completion(tool):
    text = f"# Fish completion for elmo. {MADE_BY}\n\ncomplete -c elmo -f\n"
    for option in tool.options:
        everywhere = option["names"][-1] == "--help"
        text += fish_option(option, "" if everywhere else " -n __fish_use_subcommand")
    for word, (summary, _) in tool.families.items():
        text += f"\ncomplete -c elmo -n __fish_use_subcommand -a {word} -d {fish_word(summary)}\n"
    for command in tool.commands:
        first, _, second = command["name"].partition(" ")
        before = fish_word(f"__fish_seen_subcommand_from {first}") if second else "__fish_use_subcommand"
        text += f"\ncomplete -c elmo -n {before} -a {second or first} -d {fish_word(command['summary'])}\n"
        seen = f" -n '{fish_condition(tool, command['name'])}'"
        for argument in command["arguments"]:
            folders = argument["names"][0] in FOLDERS
            text += (f"complete -c elmo{seen}"
                     + (" -a '(__fish_complete_directories)'" if folders else " -F") + "\n")
        text += "".join(fish_option(option, seen) for _, of in command["groups"] for option in of)
    return text


def main(program, source_folder, output_folder):
    tool = Tool(json.loads(subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout))
    source = (pathlib.Path(source_folder) / "cli/pages/manual.md").read_text(encoding="utf-8")
    for name, text in (("cli/man/elmo.1", manual_page(tool, source)),
                       ("cli/OPTIONS.md", option_page(tool, source)),
                       ("cli/completion/elmo.bash", bash_completion(tool)),
                       ("cli/completion/elmo.zsh", zsh_completion(tool)),
                       ("cli/completion/elmo.fish", fish_completion(tool))):
        path = pathlib.Path(output_folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: pages.py ELMO_PAGES SOURCE_FOLDER OUTPUT_FOLDER")
    main(*sys.argv[1:])
