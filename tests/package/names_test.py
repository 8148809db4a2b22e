#!/usr/bin/env python3
"""names_test.py SOURCE: no qualified name is defined in two files, and each module has a namespace of its own.

Two types of one name in one program break the one-definition rule without a word from the linker, and so do two functions
that differ in their return type only. Looked at: every source and header of engine, app, ui and kernels; types that are
defined in a namespace that has a name; functions that a header declares there, by name and parameters.
A module defines things in olab::<module> only, `trace` in olab itself (DESIGN.md, section 2).
"""
import collections
import pathlib
import re
import sys

FOLDERS = ("engine", "app", "ui", "kernels")
TRACE = "trace" # its names are those of all modules
# A token that opens or closes a scope, ends a declaration, or is part of one.
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', re.S | re.M)
TYPE = re.compile(r"(?:^|[\s>;])(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)\s*(?:final\s*)?(?::[^:].*)?$", re.S)
FUNCTION = re.compile(r"(?:^|[\s*&])(~?\w+|operator\s*\S+)\s*\(([^;{}]*)\)\s*(?:const)?\s*(?:noexcept)?$", re.S)


def blanked(text):
    """The text without comments, literals and preprocessor lines; digits may hold a quote."""
    text = re.sub(r"(?<=\d)'(?=\d)", "", text)
    return BLANK.sub(lambda found: "\n" if found.group().lstrip().startswith("#") else '""' if '"' in found.group()[:2] else " ", text)


def parameters(text):
    """The types of the parameters: without names and defaults."""
    kept, depth, part = [], 0, ""
    for letter in text + ",":
        depth += letter in "<(" or -(letter in ">)")
        if letter == "," and depth == 0:
            part = re.sub(r"\s*=.*", "", part, flags=re.S).strip()
            kept.append(re.sub(r"\s+", " ", re.sub(r"(?<=[\s*&>])\w+$", "", part)).strip())
            part = ""
        else:
            part += letter
    return ", ".join(kept)


def statements(text):
    """(namespaces, what is written there, ends with a body?) of all that stands in a namespace."""
    scopes, start = [], 0  # each open scope: a tuple of names for a namespace, None for anything else
    for found in re.finditer(r"[{};]", text):
        written = text[start : found.start()].strip()
        outside = all(scope is not None for scope in scopes)
        names = [name for scope in scopes if scope for name in scope]
        opens_namespace = outside and found.group() == "{" and re.search(r"(?:^|\s)namespace(?:\s+([\w:]+))?$", written)
        if outside and not opens_namespace and found.group() != "}":
            yield names, written, found.group() == "{"
        if found.group() == "{":
            scopes.append(tuple((opens_namespace.group(1) or "(unnamed)").split("::")) if opens_namespace else None)
        elif found.group() == "}" and scopes:
            scopes.pop()
        start = found.end()


def definitions(path):
    for names, written, has_body in statements(blanked(path.read_text())):
        if "(unnamed)" in names or not names or written.startswith(("template", "using", "typedef", "friend", "extern \"\"")):
            continue
        place = "::".join(names)
        found = TYPE.search(written) if has_body and "(" not in written.split(":")[0] else None
        if found:
            yield f"type {place}::{found.group(1)}"
        elif path.suffix == ".h" and "=" not in written.split("(")[0]:
            found = FUNCTION.search(written)
            if found and not found.group(1).startswith("operator") and "::" not in written.split("(")[0].split()[-1]:
                yield f"function {place}::{found.group(1)}({parameters(found.group(2))})"


def module_of(path):
    """engine/io/export/cu.cpp: io; ui/base/format.cpp: ui."""
    return path.parts[1] if path.parts[0] in ("engine", "app") else path.parts[0]


def strangers(path, text):
    """Namespaces that a source opens to define something, and that are not its module's."""
    module = module_of(path)
    for names, written, has_body in statements(blanked(text)):
        names = [name for name in names if name != "(unnamed)"]
        if not names or names[0] != "olab" or not (has_body or "(" in written) or written.startswith(("using", "friend")):
            continue
        inside = names[1] if len(names) > 1 else ""
        own = inside == "" or inside.endswith("_detail") if module == TRACE else inside == module
        if not own:
            yield "::".join(names)


def main():
    source = pathlib.Path(sys.argv[1])
    places = collections.defaultdict(set)
    misplaced = 0
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu", ".cuh"):
                for name in definitions(path):
                    places[name].add(str(path.relative_to(source)))
                for name in sorted(set(strangers(path.relative_to(source), path.read_text()))):
                    misplaced += 1
                    print(f"FAILED: {path.relative_to(source)} defines something in {name}, not in its module's namespace")
    twice = {name: files for name, files in places.items() if len(files) > 1}
    for name, files in sorted(twice.items()):
        print(f"FAILED: {name} is defined in {', '.join(sorted(files))}")
    types = sum(name.startswith("type") for name in places)
    if types < 100:
        print(f"FAILED: only {types} types were found: this test does not read the sources any more")
        return 1
    print(f"{types} types and {len(places) - types} functions, {len(twice)} of them twice")
    return 1 if twice or misplaced else 0


if __name__ == "__main__":
    sys.exit(main())
