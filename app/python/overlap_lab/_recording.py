"""load(FILE): a recording as columns, with the verdicts and the account that olab gives it."""
import array
import csv
import functools
import itertools
import os
import tempfile

from . import _program
from ._table import FLOAT, INT, TEXT, WORDS, Column, Table

OPS = {"activity": INT, "class": WORDS, "name": WORDS, "begin_ns": INT, "end_ns": INT, "duration_ns": INT, "device": INT, "context": INT, "stream": INT,
       "thread": INT, "process": INT, "correlation": INT, "bytes": INT, "source_memory": WORDS, "target_memory": WORDS, "unified_memory": WORDS,
       "grid": WORDS, "block": WORDS, "registers_per_thread": INT, "static_shared": INT, "dynamic_shared": INT}
WAITS = {"activity": INT, "class": WORDS, "name": WORDS, "device": INT, "stream": INT, "ready_ns": INT, "begin_ns": INT, "wait_ns": INT, "held_ns": INT,
         "cause": WORDS, "blocker": INT}
VERDICTS = {"device": WORDS, "a": WORDS, "b": WORDS, "verdict": WORDS, "overlap_ns": INT, "of_attainable": FLOAT, "of_a": FLOAT, "of_b": FLOAT,
            "blocked_ns": INT, "of_run": FLOAT, "text": TEXT}
ACCOUNT = {"id": WORDS, "cost_ns": INT, "gain_ns": INT, "waited_ns": INT, "count": INT, "text": TEXT}


def load(file, account_of_all=False):
    """Reads and judges a recording or trace of any kind that olab reads; raises Error where it cannot.

    `account_of_all`: also of more than 200 000 operations make the account, which takes long."""
    return Recording(file, account_of_all)


class Recording:
    """Immutable. `report` is that of `olab analyze --json`; tables are read when they are first asked for."""

    def __init__(self, file, account_of_all=False):
        self.file = os.fspath(file)
        self._steady = ["--steady"] if account_of_all else []
        self.report = _program.document("analyze", "--json", *self._steady, _program.file_word(file))

    @functools.cached_property
    def ops(self):
        """All activities: device work, API calls, ranges. "activity" is the number that waits and findings name."""
        with tempfile.TemporaryDirectory() as folder:
            written = os.path.join(folder, "ops.csv")
            _program.output("convert", _program.file_word(self.file), written, "--to", "csv")
            with open(written, newline="", encoding="utf-8", errors="replace") as lines:
                columns = _columns_of(csv.reader(lines))
        columns["activity"] = array.array("q", range(len(columns["begin_ns"])))
        return Table("ops", [Column(name, kind, columns[name]) for name, kind in OPS.items()])

    @functools.cached_property
    def waits(self):
        """What waited, the longest first; of programs without an account as the records show it."""
        return Table.of_rows("waits", WAITS, _program.document("analyze", "--waits", *self._steady, _program.file_word(self.file))["waits"])

    @functools.cached_property
    def verdicts(self):
        return Table.of_rows("verdicts", VERDICTS, self.report["verdicts"])

    @functools.cached_property
    def account(self):
        """The causes of the account; measured = ideal + their costs + unexplained, which `report["ledger"]` has. Raises Error if the recording has no account."""
        if self.report.get("ledger") is None:
            raise _program.Error(f"There is no account: {self.report.get('ledger_missing') or 'it was not made, see account_of_all'}")
        return Table.of_rows("account", ACCOUNT, self.report["ledger"]["causes"])

    @property
    def defects(self):
        """What was lost or repaired while reading."""
        return self.report["defects"]

    @property
    def inconclusive(self):
        """The verdicts that could not be given, each with its reason."""
        return [verdict for verdict in self.report["verdicts"] if verdict["verdict"] == "inconclusive"]

    @property
    def headline(self):
        return self.report["headline"]

    @functools.cached_property
    def _picture(self):
        with tempfile.TemporaryDirectory() as folder:
            written = os.path.join(folder, "picture.svg")
            _program.output("render", _program.file_word(self.file), written)
            with open(written, encoding="utf-8") as svg:
                return svg.read()

    def _repr_svg_(self):
        """The picture of `olab render`; without the window program there is none."""
        try:
            return self._picture
        except _program.Error:
            return None

    def __repr__(self):
        source = self.report["source"]["kind"]
        lost = "".join(f"\n  {defect['severity']}: {defect['text']}" for defect in self.defects)
        return f"<recording {self.file} ({source}): {self.headline or 'no headline'}>{lost}"


def _columns_of(rows, at_once=20000):
    """Values by the names of the first row, read piece by piece: the text of all rows at once would take several times as much."""
    names, words = next(rows), {}
    columns = {name: array.array("q") if kind == INT else [] for name, kind in OPS.items()}
    while True:
        piece = list(itertools.islice(rows, at_once))
        if not piece:
            return columns
        for name, texts in zip(names, zip(*piece)):
            if name not in columns:  # of a later olab
                continue
            if OPS[name] == INT:
                columns[name] = _with_integers(columns[name], texts)
            else:
                columns[name].extend(words.setdefault(text, text) or None for text in texts)


def _with_integers(values, texts):
    """An array as long as there are no gaps, then a list."""
    if "" in texts and isinstance(values, array.array):
        values = list(values)
    values.extend(int(text) if text else None for text in texts)
    return values
