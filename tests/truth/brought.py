#!/usr/bin/env python3
"""Learns what mends brought of what they were said to bring, by which causes are put in order: brought.py --olab OLAB

Writes engine/analysis/causes/brought.inc. Only programs that are there to look at count (score.py). One with the mistake
counts for that cause of `removes` that alone was said to bring most, and with what the mend saved. A mended or healthy one
counts for each cause that is named and not `allowed`, with what a `further` mend saved, or with nothing. What the
host itself takes (`at_most`) is one thing with several names. Each cause has one program more, of the mean size, where all
that was said came: few programs prove little. The limits, within which it came in eight of ten programs, are 0 where
there are fewer than five.
"""
import argparse
import collections
import pathlib
import statistics

import olab
import score

FILE = score.HERE.parents[1] / "engine/analysis/causes/brought.inc"
HOST = "what the host itself takes"
FEW = 5  # programs: fewer tell no limits of their own

HEAD = "// Made by tests/truth/brought.py of what mends of real programs brought: cause, part, its limits, programs. Not to be edited.\n"


def grouped(report, group_of):
    """What mending each alone would save, as olab says; of several names of one thing the most."""
    gains = collections.Counter()
    for cause, part in olab.answer_of(report).alone.items():
        gains[group_of.get(cause, cause)] = max(gains[group_of.get(cause, cause)], part)
    return gains


def programs(cases, reports, group_of):
    """Of each program and cause: (cause, said, brought), as parts of the run."""
    groups = lambda causes: {group_of.get(cause, cause) for cause in causes}
    for case in cases:
        gains, pair = grouped(reports[case.name], group_of), case.pair
        if case.variant == "bad":
            saved, removed = score.measured_gain(pair), groups(pair["removes"])
            if saved is not None and removed:
                cause = max(sorted(removed), key=lambda c: gains[c])
                yield cause, gains[cause], saved
            continue
        further = score.measured_gain(pair, case.variant, "further") or 0
        for cause in set(gains) - groups(pair["allowed"]):
            yield cause, gains[cause], further if cause in groups(pair.get("further", [])) else 0


def limits(some):
    """Of what was said: the 10th and the 90th percentile of what came."""
    if len(some) < FEW:
        return 0, 0
    parts = sorted(max(0, brought) / said for said, brought in some)
    return parts[int(0.1 * (len(parts) - 1))], parts[int(0.9 * (len(parts) - 1))]


def learned(told):
    """By cause: (part, low, high, programs)."""
    by_cause = collections.defaultdict(list)
    for cause, said, brought in told:
        if said >= score.NAMED_ABOVE:
            by_cause[cause].append((said, brought))
    mean = statistics.mean(said for some in by_cause.values() for said, _ in some)
    return {cause: ((sum(min(said, max(0, brought)) for said, brought in some) + mean) / (sum(said for said, _ in some) + mean),
                    *limits(some), len(some))
            for cause, some in by_cause.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--olab", required=True)
    args = parser.parse_args()
    cases = score.cases_of(score.HERE, "look", "")
    reports = dict(zip([case.name for case in cases], olab.each(lambda case: olab.report(args.olab, case.file), cases)))
    hosts = sorted({cause["id"] for report in reports.values() for cause in (report.get("ledger") or {}).get("causes", [])
                    if cause.get("at_most")})
    parts = learned(programs(cases, reports, dict.fromkeys(hosts, HOST)))
    rows = {name: row for cause, row in parts.items() for name in (hosts if cause == HOST else [cause])}
    FILE.write_text(HEAD + "".join(f'{{"{cause}", {{{part:.2f}, {low:.2f}, {high:.2f}, {count}}}}},\n'
                                   for cause, (part, low, high, count) in sorted(rows.items())))


if __name__ == "__main__":
    main()
