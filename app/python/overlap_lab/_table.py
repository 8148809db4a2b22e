"""A table of columns: read by pandas, Polars, DuckDB, pyarrow and others through the Arrow C data interface."""
import html

from . import _arrow

INT, FLOAT, TEXT, WORDS = "int64", "float64", "text", "words"  # WORDS: text of few values, kept once each
SHOWN = 20  # rows in a notebook


class Column:
    """Values by number; None where there is none. Times are int64, in ns."""

    def __init__(self, name, kind, values):
        self.name, self.kind, self.values = name, kind, values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return self.values[place]

    def __iter__(self):
        return iter(self.values)

    def __repr__(self):
        return f"<column {self.name}: {len(self)} of {self.kind}>"

    def _schema(self, into):
        formats = {INT: b"l", FLOAT: b"g", TEXT: b"u", WORDS: b"i"}
        words = _arrow.fill_schema(_arrow.Schema(), b"u", "") if self.kind == WORDS else None
        return _arrow.fill_schema(into, formats[self.kind], self.name, dictionary=words)

    def _array(self, into):
        nulls, there = _arrow.gaps(self.values), _arrow.bits(self.values)
        if self.kind == WORDS:
            words = list(dict.fromkeys(value for value in self.values if value is not None))
            place = {word: i for i, word in enumerate(words)}
            kept = _arrow.fill_array(_arrow.Array(), len(words), 0, [None, *_arrow.texts(words)])
            buffers = [there, _arrow.numbers("i", [None if value is None else place[value] for value in self.values])]
            return _arrow.fill_array(into, len(self), nulls, buffers, dictionary=kept)
        if self.kind == TEXT:
            return _arrow.fill_array(into, len(self), nulls, [there, *_arrow.texts(self.values)])
        return _arrow.fill_array(into, len(self), nulls, [there, _arrow.numbers("q" if self.kind == INT else "d", self.values)])

    def __arrow_c_schema__(self):
        return _arrow.capsule(self._schema(_arrow.Schema()), b"arrow_schema")

    def __arrow_c_array__(self, requested_schema=None):
        """In its own types, whatever is requested: the interface allows that."""
        return self.__arrow_c_schema__(), _arrow.capsule(self._array(_arrow.Array()), b"arrow_array")


class Table:
    """Columns of one length, by name: table["wait_ns"]."""

    def __init__(self, name, columns):
        self.name, self.columns = name, {column.name: column for column in columns}

    @classmethod
    def of_rows(cls, name, kinds, rows):
        """`kinds`: by column name; `rows`: dicts. An empty word is none, as in a CSV file."""
        return cls(name, [Column(column, kind, [(row.get(column) or None) if kind == WORDS else row.get(column) for row in rows])
                          for column, kind in kinds.items()])

    def __len__(self):
        return next((len(column) for column in self.columns.values()), 0)

    def __getitem__(self, name):
        return self.columns[name]

    def __iter__(self):
        return iter(self.columns)

    def rows(self):
        """Each as a dict."""
        return [dict(zip(self.columns, values)) for values in zip(*self.columns.values())]

    def __repr__(self):
        return f"<table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self):
        """The first rows."""
        cells = [[("" if value is None else html.escape(str(value))) for value in column.values[:SHOWN]] for column in self.columns.values()]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in zip(*cells))
        return f"<table><tr>{head}</tr>{body}</table><p>{min(SHOWN, len(self))} of {len(self)} rows</p>"

    def _schema(self, into):
        return _arrow.fill_schema(into, b"+s", "", [column._schema(_arrow.Schema()) for column in self.columns.values()])

    def _array(self, into):
        return _arrow.fill_array(into, len(self), 0, [None], [column._array(_arrow.Array()) for column in self.columns.values()])

    def __arrow_c_schema__(self):
        return _arrow.capsule(self._schema(_arrow.Schema()), b"arrow_schema")

    def __arrow_c_array__(self, requested_schema=None):
        return self.__arrow_c_schema__(), _arrow.capsule(self._array(_arrow.Array()), b"arrow_array")

    def __arrow_c_stream__(self, requested_schema=None):
        return _arrow.capsule(_arrow.stream(self._schema, self._array), b"arrow_array_stream")

    def to_pandas(self):
        """A DataFrame; integers with gaps stay integers (Int64). Needs pandas."""
        import pandas

        types = {INT: "Int64", FLOAT: "float64", TEXT: "string", WORDS: "category"}
        return pandas.DataFrame({name: pandas.Series(column.values, dtype="int64" if column.kind == INT and not _arrow.gaps(column.values) else types[column.kind])
                                 for name, column in self.columns.items()})
