#!/usr/bin/env python3
"""folders_test.py SOURCE: within a module no folder includes one that stands above it (DESIGN.md, section 2)."""
import pathlib
import re
import sys

# From the bottom to the top.
ORDER = {'engine/analysis': ['facts', 'measure', 'causes', 'rules', 'report'],
         'engine/replay': ['graph', 'play', 'host', 'device', 'build', 'account']}


def complaints_of(module, folders):
    for source in sorted(module.rglob('*')):
        folder = source.relative_to(module).parts[0]
        if source.suffix not in ('.h', '.cpp') or folder not in folders:
            continue
        for included in re.findall(r'^#include "([a-z_]+)/', source.read_text(), re.M):
            if included in folders and folders.index(included) > folders.index(folder):
                yield f'{source}: includes {included}/, which stands above {folder}/'


def main(root):
    complaints = [text for module, folders in ORDER.items() for text in complaints_of(root / module, folders)]
    print('\n'.join(complaints) or 'no folder includes one above it')
    return 1 if complaints else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
