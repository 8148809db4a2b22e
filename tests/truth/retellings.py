"""Ways to tell a Chrome trace again: each takes its events and an amount, and gives new events and which part of the run
the answer may move by that, or None where there is nothing to change. Times are ns; the events given stay as they are."""
import bisect
import hashlib
import random
import re

WORK = {"kernel", "concurrent_kernel", "gpu_memcpy", "memcpy", "gpu_memset", "memset"}
DEFAULT_STREAMS = (0, 7)  # the numbers tell what these are
SOME_BLOCKS = 16          # a grid of fewer changes much by one


def is_work(event):
    return str(event.get("cat", "")).lower() in WORK


def is_call(event):
    category = str(event.get("cat", "")).lower()
    return event.get("ph") == "X" and (category == "runtime" or category.endswith(("_runtime", "_driver")))


def is_timed(event):
    return "ts" in event and event.get("ph") != "M"


def span_of(events):
    """How long the device was in use."""
    work = [event for event in events if is_work(event) and is_timed(event)]
    return max(1, max((e["ts"] + e.get("dur", 0) for e in work), default=1) - min((e["ts"] for e in work), default=0))


def changed(events, change, which=lambda event: True):
    """change(event) gives what is new in an event."""
    return [{**event, **change(event)} if which(event) else event for event in events]


def shifted(events, amount):
    return changed(events, lambda e: {"ts": e["ts"] + amount}, is_timed), 0


def scaled(events, amount):
    def longer(event):
        end = round(amount * (event["ts"] + event.get("dur", 0)))  # what met meets
        begin = round(amount * event["ts"])
        return {"ts": begin, "dur": end - begin} if "dur" in event else {"ts": begin}
    return changed(events, longer, is_timed), 0


def shuffled(events, amount):
    events = list(events)
    random.Random(amount).shuffle(events)
    return events, 0


def renumbered(events, amount):
    """Streams and threads get other numbers below `amount`, in another order."""
    numbers, some = {}, random.Random(amount)

    def other(kind, number):
        if (kind, number) not in numbers:
            numbers[kind, number] = some.randrange(1000, amount, 8)
        return numbers[kind, number]

    def stream(number):
        return number if not isinstance(number, int) or number < 0 or number in DEFAULT_STREAMS else other("stream", number)

    def renamed(event):
        new, args = {}, event.get("args") or {}
        on_device = "stream" in args or event.get("pid") in devices
        if isinstance(event.get("tid"), int):
            new["tid"] = stream(event["tid"]) if on_device else other(event.get("pid"), event["tid"])
        if on_device and event.get("name") == "thread_name":
            new["args"] = {"name": re.sub(r"\d+", lambda n: str(stream(int(n[0]))), str(args.get("name", "")))}
        elif "stream" in args or "wait_on_stream" in args:
            new["args"] = {k: stream(v) if k in ("stream", "wait_on_stream") else v for k, v in args.items()}
        return new
    devices = {event.get("pid") for event in events if is_work(event)}
    return changed(events, renamed), 0


def renamed(events, _amount):
    def name(event):
        return {"name": "kernel_" + hashlib.sha256(str(event["name"]).encode()).hexdigest()[:12]}

    def is_own(event):  # what communicates is known by its name alone
        text = str(event.get("name", "")).lower()
        return "kernel" in str(event.get("cat", "")).lower() and "nccl" not in text and "rccl" not in text
    return changed(events, name, is_own), 0


def returning(events, amount):
    """Each call returns up to so much later (earlier if negative), as far as all begins and ends keep their order."""
    timed = [event for event in events if is_timed(event)]
    points = sorted([e["ts"] for e in timed] + [e["ts"] + e["dur"] for e in timed if "dur" in e])
    moved = 0

    def end(event):
        nonlocal moved
        old = event["ts"] + event["dur"]
        at, behind = bisect.bisect_left(points, old), bisect.bisect_right(points, old)
        if behind - at > 1:
            return {}
        room = points[behind] - old - 1 if amount > 0 and behind < len(points) else old - points[at - 1] - 1
        move = max(0, min(abs(amount), room, event["dur"] - 1 if amount < 0 else room))
        moved += move
        return {"dur": event["dur"] + (move if amount > 0 else -move)}
    calls = [event for event in timed if is_call(event)]
    new = changed(events, end, lambda e: is_timed(e) and is_call(e))
    return (new, moved / span_of(events)) if calls else None


def slack(events):
    """How much later than its call's begin the work begins that begins soonest."""
    calls = {e["args"]["correlation"]: e["ts"] for e in events if is_call(e) and (e.get("args") or {}).get("correlation")}
    begins = [(e["ts"], calls.get((e.get("args") or {}).get("correlation"))) for e in events if is_work(e) and is_timed(e)]
    return min((begin - call for begin, call in begins if call is not None), default=0)


def clock(events, amount):
    """The clock of the device is so much ahead."""
    amount = max(amount, 1 - slack(events))
    work = sum(map(is_work, events))
    if not any(map(is_call, events)):
        return None
    new = changed(events, lambda e: {"ts": e["ts"] + amount}, lambda e: is_work(e) and is_timed(e))
    return new, abs(amount) * work / span_of(events)


def blocks(events, amount):
    """So many blocks more."""
    def grid(event):
        x, *rest = event["args"]["grid"]
        return {"args": {**event["args"], "grid": [x + amount, *rest]}}

    def is_large(event):
        grid = (event.get("args") or {}).get("grid")
        return is_work(event) and isinstance(grid, list) and len(grid) == 3 and grid[0] * grid[1] * grid[2] >= SOME_BLOCKS
    return (changed(events, grid, is_large), 0) if any(map(is_large, events)) else None


US = 1000
# Amounts in an order in which neighbours are alike.
AXES = {"shifted": (shifted, [1, 3_600_000_000_123]),
        "scaled": (scaled, [1.05, 1.1, 1.2, 1.3]),
        "shuffled": (shuffled, [1, 2]),
        "renumbered": (renumbered, [1 << 15, 1 << 31, 1 << 48, 1 << 63]),
        "renamed": (renamed, [1]),
        "returning later": (returning, [10 * US, 20 * US, 40 * US, 60 * US]),
        "returning earlier": (returning, [-10 * US, -20 * US, -40 * US, -60 * US]),
        "clock ahead": (clock, [500, 1000, 2000]),
        "clock behind": (clock, [-500, -1000, -2000]),
        "blocks": (blocks, [1, 2])}
