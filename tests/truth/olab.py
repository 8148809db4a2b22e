"""Asks olab about recordings."""
import concurrent.futures
import dataclasses
import json
import os
import subprocess

NAMES_NOTHING = 0.01  # of the run: what costs less is no answer
SAME = 0.02           # of the run: causes of which each alone would save as much but for this are a near tie


@dataclasses.dataclass
class Answer:
    """What one recording was said to lose. Parts are of the run without what recording took."""
    causes: list = dataclasses.field(default_factory=list)  # (id, part) after those above it; the first is the answer
    alone: dict = dataclasses.field(default_factory=dict)   # id: part that mending it alone would save
    unexplained: float = 0.0
    missing: str = ""  # why there is no account
    tied: list = None  # the first causes, where the tool itself says which are a tie

    def first(self):
        """The cause that is named first, and those in a near tie with it; empty where nothing is worth a name."""
        if self.tied is not None:
            return self.tied
        if not self.causes or self.causes[0][1] < NAMES_NOTHING:
            return []
        (best, part), *others = self.causes
        return [best, *(c for c, _ in others if self.alone.get(c, 0.0) >= max(part - SAME, part / 2))]

    def gain(self, causes):
        """Of mending these together: what they cost one after the other, and at least what the best saves alone."""
        costs = dict(self.causes)
        return max([sum(costs.get(c, 0.0) for c in causes), *(self.alone.get(c, 0.0) for c in causes)])


def parsed(text, fallback):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return fallback


def report(olab, file, *options):
    done = subprocess.run([olab, "analyze", str(file), *options, "--json"], capture_output=True, text=True)
    return parsed(done.stdout, {"ledger_missing": " ".join(done.stderr.split())[:160] or f"exit code {done.returncode}"})


def answer_of(told):
    """Of a report."""
    ledger = told.get("ledger")
    if not ledger or not ledger["measured_ns"]:
        return Answer(missing=told.get("ledger_missing") or "no account")
    recording = sum(c["cost_ns"] for c in ledger["causes"] if c["id"] == "tool")  # the times to compare with had none
    untraced = max(1, ledger["measured_ns"] - recording)
    causes = [c for c in ledger["causes"] if c["id"] != "tool"]
    return Answer([(c["id"], c["cost_ns"] / untraced) for c in causes], {c["id"]: c["gain_ns"] / untraced for c in causes},
                  abs(ledger["unexplained_ns"]) / ledger["measured_ns"])


def answer(olab, file, *options):
    return answer_of(report(olab, file, *options))


def each(work, items):
    """work(item) of all, on all processors, in their order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, items))
