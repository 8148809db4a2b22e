"""Columns as the Arrow C data interface has them, without any package: int64, float64, text, and text by numbers (dictionary).

https://arrow.apache.org/docs/format/CDataInterface.html: structures, ownership, release. What is handed out lives until the
consumer releases it; the columns themselves are kept alive by that.
"""
import array
import ctypes
import errno
import itertools

NULLABLE = 2  # ARROW_FLAG_NULLABLE


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GetLastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", ReleaseSchema), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                  ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", ReleaseArray), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", GetLastError), ("release", ReleaseStream),
                   ("private_data", ctypes.c_void_p)]

_alive = {}  # by private_data: what a structure that is not released yet points to
_numbers = itertools.count(1)


def _keep(structure, *things):
    structure.private_data = next(_numbers)
    _alive[structure.private_data] = things


def _release(pointer):
    """Children and dictionary first, unless a consumer has moved them out, then what it pointed to."""
    structure = pointer.contents
    parts = [structure.children[i] for i in range(structure.n_children)]
    for part in parts + ([structure.dictionary] if structure.dictionary else []):
        if part.contents.release:
            part.contents.release(part)
    _forget(structure)


def _forget(structure):
    number = structure.private_data
    structure.release = type(structure.release)()  # null: released
    _alive.pop(number, None)


_release_schema, _release_array = ReleaseSchema(_release), ReleaseArray(_release)
_release_stream = ReleaseStream(lambda pointer: _forget(pointer.contents))


def _pointers(kind, parts):
    return (ctypes.POINTER(kind) * len(parts))(*[ctypes.pointer(part) for part in parts])


def fill_schema(schema, format, name, children=(), dictionary=None):
    parts, name = _pointers(Schema, children), name.encode()
    schema.format, schema.name, schema.metadata, schema.flags = format, name, None, NULLABLE
    schema.n_children = len(children)
    schema.children = ctypes.cast(parts, ctypes.POINTER(ctypes.POINTER(Schema))) if children else None
    schema.dictionary = ctypes.pointer(dictionary) if dictionary is not None else None
    schema.release = _release_schema
    _keep(schema, parts, children, dictionary, format, name)
    return schema


def fill_array(into, length, nulls, buffers, children=(), dictionary=None):
    parts = _pointers(Array, children)
    addresses = (ctypes.c_void_p * len(buffers))(*[None if buffer is None else ctypes.addressof(buffer) for buffer in buffers])
    into.length, into.null_count, into.offset = length, nulls, 0
    into.n_buffers, into.n_children = len(buffers), len(children)
    into.buffers = ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p))
    into.children = ctypes.cast(parts, ctypes.POINTER(ctypes.POINTER(Array))) if children else None
    into.dictionary = ctypes.pointer(dictionary) if dictionary is not None else None
    into.release = _release_array
    _keep(into, parts, children, dictionary, addresses, buffers)
    return into


def gaps(values):
    return 0 if isinstance(values, array.array) else sum(value is None for value in values)


def bits(values):
    """A bit for each value that is there; None: all are."""
    if not gaps(values):
        return None
    made = bytearray((len(values) + 7) // 8)
    for i, value in enumerate(values):
        if value is not None:
            made[i >> 3] |= 1 << (i & 7)
    return (ctypes.c_uint8 * max(1, len(made))).from_buffer_copy(bytes(made) or b"\0")


def numbers(kind, values):
    """`kind`: the type code of the module array; "q", "d" or "i"."""
    if isinstance(values, array.array) and values.typecode == kind and values:
        made = values  # as it is
    else:
        made = array.array(kind, [0 if value is None else value for value in values] or [0])
    return (ctypes.c_char * (made.itemsize * len(made))).from_buffer(made)


def texts(values):
    """Offsets and bytes of UTF-8."""
    encoded = [b"" if value is None else value.encode(errors="replace") for value in values]
    ends = [0, *itertools.accumulate(map(len, encoded))]
    if ends[-1] > 2**31 - 1:
        raise OverflowError("A column of more than 2 GiB of text.")
    data = b"".join(encoded)
    return numbers("i", ends), (ctypes.c_char * max(1, len(data))).from_buffer_copy(data or b"\0")


def _of_python(name, result, *words):
    """Of our own: what ctypes.pythonapi hands out is shared with everybody in the process."""
    return ctypes.PYFUNCTYPE(result, *words)((name, ctypes.pythonapi))


_new_capsule = _of_python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_capsule_pointer = _of_python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_capsule_name = _of_python("PyCapsule_GetName", ctypes.c_char_p, ctypes.c_void_p)
_kinds = {b"arrow_schema": Schema, b"arrow_array": Array, b"arrow_array_stream": Stream}
_held = {}  # by address: structures of capsules; the capsule holds a bare pointer


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _end_capsule(capsule):
    """Nobody took what was in it, or its content was moved out: release is null then."""
    name = _capsule_name(capsule)
    address = _capsule_pointer(capsule, name)
    structure = _kinds[name].from_address(address)
    if structure.release:
        structure.release(ctypes.pointer(structure))
    _held.pop(address, None)


def capsule(structure, name):
    """`name` must live as long as the program does: a key of the table above."""
    address = ctypes.addressof(structure)
    _held[address] = structure
    return _new_capsule(address, next(key for key in _kinds if key == name), ctypes.cast(_end_capsule, ctypes.c_void_p))


def stream(make_schema, make_array):
    """A stream of one array; the functions fill the structures of a consumer."""
    given, said = [], []

    def attempt(make, structure):
        try:
            make(structure)
            return 0
        except Exception as problem:  # it must not leave a callback
            said[:] = [ctypes.create_string_buffer(str(problem).encode(errors="replace"))]
            return errno.EIO

    def get_next(_, into):
        if given:
            into.contents.release = ReleaseArray()  # the end
            return 0
        given.append(True)
        return attempt(make_array, into.contents)

    made = Stream(GetSchema(lambda _, into: attempt(make_schema, into.contents)), GetNext(get_next),
                  GetLastError(lambda _: ctypes.addressof(said[0]) if said else None), _release_stream, None)
    _keep(made, made.get_schema, made.get_next, made.get_last_error)
    return made
