"""Chrome traces as torch.profiler, JAX and `olab convert` write them, with times as whole nanoseconds."""
import decimal
import gzip
import json

TIMES = ("ts", "dur")
MARK = "\0decimal\0"  # around a number with all its digits, until the text is made


def in_ns(microseconds):
    """Exact: a time since 1970 has more digits than a float."""
    return int((decimal.Decimal(microseconds) * 1000).to_integral_value())


def in_us(ns):
    return decimal.Decimal(ns).scaleb(-3)


def opened(path, mode):
    return gzip.open(path, mode, compresslevel=9) if str(path).endswith(".gz") else open(path, mode)


def read(path):
    """The document; `ts` and `dur` of its events are in ns."""
    with opened(path, "rb") as file:
        document = json.loads(file.read(), parse_float=decimal.Decimal)
    if isinstance(document, list):
        document = {"traceEvents": document}
    for event in document["traceEvents"]:
        for key in TIMES:
            if key in event:
                event[key] = in_ns(event[key])
    return document


def marked(value):
    """json writes what is no float or int as text, in quotes, which text_of() takes off."""
    if isinstance(value, decimal.Decimal):
        return f"{MARK}{value}{MARK}"
    raise TypeError(type(value))


def text_of(document):
    events = [{key: in_us(value) if key in TIMES else value for key, value in event.items()}
              for event in document["traceEvents"]]
    text = json.dumps({**document, "traceEvents": events}, default=marked, separators=(",", ":"))
    mark = json.dumps(MARK)[1:-1]
    return text.replace(f'"{mark}', "").replace(f'{mark}"', "")


def write(path, document):
    with opened(path, "wb") as file:
        file.write(text_of(document).encode())
