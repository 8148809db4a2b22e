#!/usr/bin/env python3
"""Makes the wheel of overlap_lab: make_wheel.py VERSION LIBRARY FOLDER

The package, with the library that it calls beside it. Needs nothing but Python; the tag names the C library of this machine.
"""
import base64
import hashlib
import os
import sys
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: overlap-lab
Version: {version}
Summary: records what CUDA does in a Python program, for Overlap Lab, and reads recordings
Requires-Python: >=3.8
License: see LICENSE
"""
WHEEL = """Wheel-Version: 1.0
Generator: overlap-lab
Root-Is-Purelib: false
Tag: {tag}
"""


def tag():
    libc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
    return f"py3-none-manylinux_{libc}_{os.uname().machine}"


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main(version, library, folder):
    here = Path(__file__).resolve().parent
    info = f"overlap_lab-{version}.dist-info"
    files = {f"overlap_lab/{file.name}": file.read_bytes() for file in sorted((here / "overlap_lab").glob("*.py"))}
    files[f"overlap_lab/{Path(library).name}"] = Path(library).read_bytes()
    files[f"{info}/LICENSE"] = (here.parents[1] / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag()).encode()
    record = [f"{name},{digest(content)},{len(content)}" for name, content in files.items()] + [f"{info}/RECORD,,"]
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    for old in Path(folder).glob("overlap_lab-*.whl"):
        old.unlink()
    with zipfile.ZipFile(Path(folder) / f"overlap_lab-{version}-{tag()}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main(*sys.argv[1:])
