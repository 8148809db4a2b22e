#!/usr/bin/env python3
"""Counts what ctest ran: count_tests.py CTEST_JUNIT.xml FOLDER_OF_GTEST_XML

Counts single test cases where a test program left its own GoogleTest XML, whole programs where it left none. A program
that failed without a failed case (a crash, a time-out) counts as one more failure. The last line is the sum.
Exit 1 when anything failed or nothing passed.
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def program_status(testcase):
    if testcase.find("skipped") is not None or testcase.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "passed" if testcase.get("status") == "run" else "failed"


def case_status(testcase):
    if testcase.find("failure") is not None:
        return "failed"
    ran = testcase.get("result") == "completed" and testcase.find("skipped") is None
    return "passed" if ran else "skipped"


def count_cases(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        for testcase in ElementTree.parse(path).iter("testcase"):
            counts[case_status(testcase)] += 1
    except (OSError, ElementTree.ParseError):
        return {}  # no such file, or cut off by a crash
    return counts if any(counts.values()) else {}


def count_program(testcase, folder):
    status = program_status(testcase)
    counts = count_cases(folder / (testcase.get("name") + ".xml"))
    if not counts:
        return {status: 1}
    if status == "failed" and not counts["failed"]:
        counts["failed"] = 1
    return counts


def main():
    junit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for testcase in ElementTree.parse(junit).iter("testcase"):
        counts = count_program(testcase, folder)
        for status, number in counts.items():
            total[status] += number
        for status in ("failed", "skipped"):
            if counts.get(status):
                print(f"   {status}: {testcase.get('name')} ({counts[status]})")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
