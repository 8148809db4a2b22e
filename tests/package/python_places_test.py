#!/usr/bin/env python3
"""python_places_test.py FOLDER_OF_overlap_lab: where the package looks for olab and for its library, and where not."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

package = Path(sys.argv.pop(1)) / "overlap_lab"
ASK = "from overlap_lab import _program, _library; print(*_program.candidates(), *_library.candidates(), sep='\\n')"


class Places(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="olab-places-")
        self.addCleanup(self.place.cleanup)
        self.top = Path(self.place.name).resolve()

    def make(self, *names):
        for name in names:
            file = self.top / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("#!/bin/sh\n")
            file.chmod(0o755)

    def found(self, folder, path="/nowhere", **variables):
        """The files that are there, of those that it looks for, by the names that they have in the place."""
        into = self.top / folder / "overlap_lab"
        if not into.exists():
            shutil.copytree(package, into, ignore=shutil.ignore_patterns("__pycache__"))
        shown = subprocess.run([sys.executable, "-B", "-c", ASK], cwd=self.top, capture_output=True, text=True, check=True,
                               env={"PYTHONPATH": str(into.parent), "PATH": path, **variables})
        files = dict.fromkeys(Path(line) for line in shown.stdout.splitlines())
        return [str(file.relative_to(self.top)) if file.is_absolute() else str(file) for file in files if (self.top / file).is_file()]

    def test_no_folder_above_is_looked_into(self):
        self.make("bin/olab", "a/bin/olab", "lib/libolab_inject.so", "a/lib/libolab_inject.so", "a/build/release/bin/olab", "olab",
                  "libolab_inject.so")
        for folder in ("a/b", "a/app/python", "a/lib/python3.11/site-packages"):
            self.assertEqual(self.found(folder, path=f".::{self.top.name}:/nowhere"), [], folder)

    def test_beside_itself_and_where_it_is_installed(self):
        self.make("a/overlap_lab.place", "bin/olab", "lib/libolab_inject.so")
        for folder in ("a/share/overlap-lab/python", "usr/lib/python3/dist-packages"):
            prefix = folder.split("/")[0]
            self.make(f"{prefix}/bin/olab", f"{prefix}/lib/libolab_inject.so")
            self.assertEqual(self.found(folder), [f"{prefix}/bin/olab", f"{prefix}/lib/libolab_inject.so"])
        self.found("wheel")
        self.make("wheel/overlap_lab/libolab_inject.so", "wheel/overlap_lab/olab")
        self.assertEqual(self.found("wheel"), ["wheel/overlap_lab/olab", "wheel/overlap_lab/libolab_inject.so"])

    def test_by_name_and_in_path(self):
        self.make("clone/build/bin/olab", "clone/build/bin/libolab_inject.so", "opt/bin/olab", "opt/lib64/libolab_inject.so")
        named = self.found("a", path=f"{self.top}/opt/bin", OLAB=f"{self.top}/clone/build/bin/olab")
        self.assertEqual(named, ["clone/build/bin/olab", "opt/bin/olab", "clone/build/bin/libolab_inject.so", "opt/lib64/libolab_inject.so"])
        with self.assertRaises(subprocess.CalledProcessError):
            self.found("a", OLAB="clone/build/bin/olab")
        with self.assertRaises(subprocess.CalledProcessError):
            self.found("a", OLAB_LIBRARY="clone/build/bin/libolab_inject.so")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
