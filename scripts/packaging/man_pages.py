#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man_pages.py LAUNCHPROF VERSION DATE FOLDER: makes a manual page for each verb from the command's own help."""
import json
import pathlib
import subprocess
import sys


def escaped(text):
    """Text for roff: no line of it is a request, and hyphens stay what they are."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(text):
    """Those that are laid out by blanks stay as they are, the others are filled."""
    for paragraph in text.split("\n\n"):
        laid_out = "  " in paragraph
        yield (".PP\n.nf\n" if laid_out else ".PP\n") + escaped(paragraph) + ("\n.fi" if laid_out else "")


def spelling(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def term(argument):
    """`-n, --runs <n>` in roff."""
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] != "flag" else ""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument["isRepeating"] else "")
    names = argument["names"] if argument.get("names") else [argument["preferredName"]]
    return ", ".join(f"\\fB{escaped(spelling(name))}\\fR" for name in names) + value


def described(argument):
    text = escaped(argument.get("abstract", "").strip())
    if argument.get("discussion"):
        text += "\n.sp\n" + escaped(argument["discussion"])
    if argument.get("allValues"):
        text += "\n.br\nOne of: " + escaped(", ".join(argument["allValues"])) + "."
    if argument.get("defaultValue"):
        text += f"\n.br\nDefault: {escaped(argument['defaultValue'])}."
    return text.strip() or "\\&"


def asked(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def synopsis(words, executable):
    """The usages of `launchprof help`: the description of the command does not have them."""
    text = asked(executable, "help", *words[1:])
    usages = text[text.index("USAGE: "):].split("\n\n")[0].removeprefix("USAGE: ").splitlines()
    return "\n.br\n".join(f"\\fB{escaped(usage.strip())}\\fR" for usage in usages)


def page(words, command, version, date, executable):
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    name = "-".join(words)
    parts = [
        f'.TH "{escaped(name.upper())}" 1 "{date}" "launchprof {version}" "Launch Profiler"',
        ".SH NAME", f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS", synopsis(words, executable),
    ]
    if command.get("discussion"):
        parts += [".SH DESCRIPTION", *paragraphs(command["discussion"])]
    for title, wanted in ("ARGUMENTS", True), ("OPTIONS", False):
        shown = [argument for argument in arguments if (argument["kind"] == "positional") == wanted]
        parts += [f".SH {title}"] if shown else []
        for argument in shown:
            parts += [".TP", term(argument), described(argument)]
    inner = subcommands(command)
    if inner:
        parts.append(".SH COMMANDS")
        for one in inner:
            parts += [".TP", f"\\fB{escaped('-'.join([*words, one['commandName']]))}\\fR(1)", escaped(one["abstract"])]
    if len(words) > 1:
        parts += [".SH SEE ALSO", f".BR {escaped('-'.join(words[:-1]))} (1)"]
    return "\n".join(parts) + "\n"


def subcommands(command):
    return [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]


def write(words, command, version, date, folder, executable):
    (folder / ("-".join(words) + ".1")).write_text(page(words, command, version, date, executable), encoding="utf-8")
    for one in subcommands(command):
        write([*words, one["commandName"]], one, version, date, folder, executable)


def main():
    executable, version, date, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = json.loads(asked(executable, "--experimental-dump-help"))["command"]
    write([command["commandName"]], command, version, date, folder, executable)


if __name__ == "__main__":
    main()
