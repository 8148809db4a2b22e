#!/usr/bin/env python3
"""python_reading_test.py OLAB FOLDER_OF_overlap_lab: recordings as columns, their Arrow form, and assert_overlap."""
import ctypes
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ["OLAB"], folder = sys.argv.pop(1), sys.argv.pop(1)
sys.path.insert(0, folder)
sys.dont_write_bytecode = True
import overlap_lab  # noqa: E402
from overlap_lab import _arrow, _table  # noqa: E402

OLAB = os.environ["OLAB"]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def values_of(schema, array):
    """What a consumer reads: from the addresses alone."""
    def buffer(number, kind, count):
        return list((kind * count).from_address(array.buffers[number])) if count else []

    def text(number_of_offsets):
        ends = buffer(1, ctypes.c_int32, number_of_offsets + 1)
        return [ctypes.string_at(array.buffers[2] + begin, end - begin).decode() for begin, end in zip(ends, ends[1:])]

    if schema.dictionary:
        words = values_of(schema.dictionary.contents, array.dictionary.contents)
        found = [words[i] if words else None for i in buffer(1, ctypes.c_int32, array.length)]
    elif schema.format == b"u":
        found = text(array.length)
    else:
        found = buffer(1, {b"l": ctypes.c_int64, b"g": ctypes.c_double}[schema.format], array.length)
    if array.null_count:
        there = buffer(0, ctypes.c_uint8, (array.length + 7) // 8)
        found = [value if there[i >> 3] >> (i & 7) & 1 else None for i, value in enumerate(found)]
    return found


def imported(table):
    """Name and values of each column, by the stream; all is released as a consumer has to."""
    capsule = table.__arrow_c_stream__()
    stream = _arrow.Stream.from_address(pointer_of(capsule, b"arrow_array_stream"))
    schema, array, end = _arrow.Schema(), _arrow.Array(), _arrow.Array()
    assert stream.get_schema(ctypes.pointer(stream), ctypes.pointer(schema)) == 0
    assert stream.get_next(ctypes.pointer(stream), ctypes.pointer(array)) == 0
    assert stream.get_next(ctypes.pointer(stream), ctypes.pointer(end)) == 0 and not end.release
    del capsule
    gc.collect()  # what was handed out does not need its stream
    assert schema.format == b"+s" and array.n_children == schema.n_children
    found = {schema.children[i].contents.name.decode(): values_of(schema.children[i].contents, array.children[i].contents) for i in range(array.n_children)}
    for part in (schema, array):
        part.release(ctypes.pointer(part))
        assert not part.release
    return found


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.file = os.path.join(cls.place.name, "run.olab")
        subprocess.run([OLAB, "run", "--backend", "sim", "--set", "streams=3", "-o", cls.file], check=True, stdout=subprocess.DEVNULL)
        cls.recording = overlap_lab.load(cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_ops_are_those_of_the_report(self):
        ops, classes = self.recording.ops, self.recording.report["devices"]["0"]["classes"]
        for name in ("kernel", "memcpy_h2d", "memset"):
            lengths = [length for kind, length in zip(ops["class"], ops["duration_ns"]) if kind == name]
            self.assertEqual((len(lengths), sum(lengths)), (classes[name]["count"], classes[name]["sum_ns"]))
        self.assertTrue(all(type(begin) is int and end >= begin for begin, end in zip(ops["begin_ns"], ops["end_ns"])))

    def test_waits_name_ops(self):
        ops, waits = self.recording.ops, self.recording.waits
        self.assertGreater(len(waits), 0)
        for wait in waits.rows():
            self.assertEqual(ops["begin_ns"][wait["activity"]], wait["begin_ns"])
            self.assertEqual(ops["name"][wait["activity"]], wait["name"])
            self.assertEqual(wait["begin_ns"] - wait["ready_ns"], wait["wait_ns"])

    def test_verdicts_and_account(self):
        report = self.recording.report
        self.assertEqual(list(self.recording.verdicts["overlap_ns"]), [verdict["overlap_ns"] for verdict in report["verdicts"]])
        ledger = report["ledger"]
        self.assertEqual(sum(self.recording.account["cost_ns"]), ledger["measured_ns"] - ledger["ideal_ns"] - ledger["unexplained_ns"])

    def test_arrow_has_the_same_values(self):
        for table in (self.recording.ops, self.recording.waits, self.recording.verdicts, self.recording.account):
            self.assertEqual(imported(table), {name: list(table[name]) for name in table})
        gc.collect()
        self.assertEqual((_arrow._alive, _arrow._held), ({}, {}))

    def test_arrow_of_gaps_and_of_nothing(self):
        columns = [_table.Column("n", "int64", [None, -2**63, 2**63 - 1, 1] * 5), _table.Column("f", "float64", [1.5, None, -0.0, 2.0] * 5),
                   _table.Column("t", "text", ["", None, "ä\0b", "x"] * 5), _table.Column("w", "words", [None, "a", "b", "a"] * 5)]
        self.assertEqual(imported(_table.Table("t", columns)), {column.name: column.values for column in columns})
        empty = [_table.Column(column.name, column.kind, []) for column in columns]
        self.assertEqual(imported(_table.Table("t", empty)), {column.name: [] for column in columns})
        nothing = [_table.Column(column.name, column.kind, [None]) for column in columns]
        self.assertEqual(imported(_table.Table("t", nothing)), {column.name: [None] for column in columns})

    def test_arrow_children_may_be_moved_out(self):
        column = _table.Column("n", "int64", [1, 2, 3])
        table, array, moved = _table.Table("t", [column]), _arrow.Array(), _arrow.Array()
        table._array(array)
        child = array.children[0]
        ctypes.memmove(ctypes.addressof(moved), ctypes.addressof(child.contents), ctypes.sizeof(moved))
        child.contents.release = _arrow.ReleaseArray()
        array.release(ctypes.pointer(array))
        del array, child
        gc.collect()
        schema = column._schema(_arrow.Schema())
        self.assertEqual(values_of(schema, moved), [1, 2, 3])
        for part in (schema, moved):
            part.release(ctypes.pointer(part))
        self.assertEqual(_arrow._alive, {})

    def test_a_capsule_that_nobody_took_is_released(self):
        self.recording.waits.__arrow_c_array__()
        self.recording.waits["cause"].__arrow_c_array__()
        self.recording.waits.__arrow_c_stream__()
        gc.collect()
        self.assertEqual((_arrow._alive, _arrow._held), ({}, {}))

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.recording.ops.to_pandas()
        self.assertEqual(str(frame["begin_ns"].dtype), "int64")
        self.assertEqual(str(frame["stream"].dtype), "Int64")
        kernels = frame[frame["class"] == "kernel"]
        self.assertEqual(int(kernels["duration_ns"].sum()), self.recording.report["devices"]["0"]["classes"]["kernel"]["sum_ns"])

    def test_a_table_shows_itself(self):
        shown = _table.Table("t", [_table.Column("name", "text", ["<b>"] * 30)])._repr_html_()
        self.assertIn("&lt;b&gt;", shown)
        self.assertIn("20 of 30 rows", shown)
        self.assertIn("simulated", repr(self.recording))

    def test_a_picture(self):
        if not (pathlib.Path(OLAB).parent / "overlap-lab").exists():
            self.skipTest("the window program, which draws, was not built")
        self.assertIn("<svg", self.recording._repr_svg_())

    def test_assertions(self):
        overlap_lab.assert_overlap(self.file, "/experiment/streams==3", "count(kernel)>=1")
        overlap_lab.assert_overlap(self.recording, "/experiment/streams==3")
        with self.assertRaisesRegex(AssertionError, r"run.olab:\n.*count\(kernel\)"):
            overlap_lab.assert_overlap(self.file, "count(kernel)>=1", "count(kernel)<1")
        with self.assertRaisesRegex(overlap_lab.ReadError, "overlaps"):
            overlap_lab.assert_overlap(self.file, "overlaps(h2d,kernel)>=0.8")
        for word in ("-h", "--help"):
            with self.assertRaisesRegex(overlap_lab.ReadError, word):
                overlap_lab.assert_overlap(self.file, word)
        with self.assertRaises(TypeError):
            overlap_lab.assert_overlap(self.file)

    def test_what_is_inconclusive_fails_with_its_reason(self):
        cut = os.path.join(self.place.name, "cut.olab")
        pathlib.Path(cut).write_bytes(pathlib.Path(self.file).read_bytes()[:-400])
        with self.assertRaisesRegex(AssertionError, "count.kernel..=1"):
            overlap_lab.assert_overlap(cut, "count(kernel)>=1")
        self.assertTrue(overlap_lab.load(cut).defects)

    def test_errors(self):
        with self.assertRaisesRegex(overlap_lab.ReadError, "missing.olab"):
            overlap_lab.load(os.path.join(self.place.name, "missing.olab"))
        with self.assertRaisesRegex(overlap_lab.ReadError, "-dash.olab"):
            overlap_lab.load("-dash.olab")


if __name__ == "__main__":
    unittest.main()
