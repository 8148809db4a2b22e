#!/usr/bin/env python3
"""Scores answers to "what costs this program time?" by what mending it was measured to bring.

    score.py --olab OLAB... [--half look|held|all] [--data FOLDER] [--only REGEX] [--write-answers FILE]
    score.py --answers FILE...                                  answers of any tool

Several --olab and --answers are columns side by side. FOLDER has pairs.json and recordings/SOURCE/PAIR-VARIANT.*; the
README says what each score means. A fixed half of the pairs (60 %, by the hash of the name) is there to look at, and
printed line by line. Of the others only scores are printed, and looks.log has a line for each look at them.

The table of answers has a line for each cause, with tabs between: recording (SOURCE/PAIR-VARIANT), rank, cause, share of
the run that mending it saves after those ranked above it, share that mending it alone saves (may be missing). Causes of
one rank are a tie. A recording without a cause has rank 0 and no cause, one without an account no line.
"""
import argparse
import dataclasses
import datetime
import hashlib
import json
import pathlib
import re
import statistics
import subprocess
import sys

import olab

HERE = pathlib.Path(__file__).resolve().parent
LOOKED_AT = 60        # % of the pairs
NAMED_ABOVE = 0.03    # of the run: a cause above this is blamed
WORTH_NAMING = 0.05   # measured gain from which the first line must be right
SAME_GAIN = 0.06      # a mend that brings this much less than was said did not bring what was said
WIDE = 0.10           # of the median: times that spread further tell no gain
SOURCES = ("capture", "kineto", "jax")


def half_of(name):
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return "look" if number % 100 < LOOKED_AT else "held"


def measured_gain(pair, of="bad", by="mended"):
    """Part of the time that the mend saves, untraced; None where that is not known."""
    times = pair.get("times", {})
    before, after = times.get(f"{of}_ns"), times.get(f"{by}_ns")
    return 1 - statistics.median(after) / statistics.median(before) if before and after and not pair.get("error") else None


def is_wide(pair, *variants):
    times = [pair["times"].get(f"{variant}_ns", [0]) for variant in variants]
    return any(max(t) - min(t) > WIDE * statistics.median(t) for t in times)


@dataclasses.dataclass
class Case:
    """One recording of a pair."""
    pair: dict
    variant: str
    source: str
    file: pathlib.Path

    @property
    def name(self):
        return f"{self.source}/{self.pair['name']}-{self.variant}"

    def is_told(self):
        return half_of(self.pair["name"]) == "look"


def cases_of(folder, half, only):
    cases = []
    for pair in json.loads((folder / "pairs.json").read_text())["pairs"]:
        if half not in (half_of(pair["name"]), "all") or not re.search(only, pair["name"]):
            continue
        for source in SOURCES:
            for variant in pair["recorded"]:
                found = sorted((folder / "recordings" / source).glob(f"{pair['name']}-{variant}.*"))
                cases += [Case(pair, variant, source, file) for file in found[:1]]
    return cases


# ---- answers

def table_lines(name, answer):
    """Of one recording, as --answers reads them."""
    if answer.missing:
        return []
    tied = answer.first()
    lines = [[name, "1" if cause in tied else str(rank), cause, f"{part:.4f}", f"{answer.alone.get(cause, part):.4f}"]
             for rank, (cause, part) in enumerate(answer.causes, 1)]
    if not tied:
        lines.insert(0, [name, "0", "", f"{answer.unexplained:.4f}", ""])
    return ["\t".join(line) for line in lines]


def read_answers(path):
    """Answers by the name of the recording."""
    rows = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            name, rank, cause, *parts = line.split("\t")
            rows.setdefault(name, []).append((int(rank), cause, [float(p) if p else 0.0 for p in parts]))
    return {name: answer_of_rows(sorted(some, key=lambda row: row[0])) for name, some in rows.items()}


def answer_of_rows(rows):
    causes = [(rank, cause, parts) for rank, cause, parts in rows if cause]
    answer = olab.Answer([(cause, parts[0]) for _, cause, parts in causes],
                         {cause: parts[-1] for _, cause, parts in causes})
    has_none = any(rank == 0 for rank, _, _ in rows)
    answer.tied = [] if has_none else [cause for rank, cause, _ in causes if rank == causes[0][0]]
    return answer


def answers_of(cases, judge):
    """Of a judge: (how, program or file)."""
    how, what = judge
    if how == "olab":
        return dict(zip([case.name for case in cases], olab.each(lambda case: olab.answer(what, case.file), cases)))
    told = read_answers(what)
    return {case.name: told.get(case.name, olab.Answer(missing="no answer")) for case in cases}


# ---- scores

@dataclasses.dataclass
class Score:
    """Counts of one source of recordings."""
    recordings: int = 0
    accounts: int = 0
    worth: int = 0   # a mistake whose mend brings 5 % or more
    right: int = 0   # is named first, or in a near tie
    tied: int = 0    # the latter
    other: int = 0   # a further way is named, whose mend was measured to bring what is said
    good: int = 0    # healthy or mended
    blamed: int = 0
    errors: list = dataclasses.field(default_factory=list)
    unexplained: list = dataclasses.field(default_factory=list)

    def values(self):
        """For the log and the floors."""
        return {"recordings": self.recordings, "accounts": self.accounts, "right": self.right, "worth": self.worth,
                "tied": self.tied, "other": self.other, "error_median": points(self.errors, 0.5),
                "error_90": points(self.errors, 0.9), "blamed": self.blamed, "good": self.good,
                "unexplained_median": points(self.unexplained, 0.5)}


def points(values, quantile):
    """In percent of the run."""
    return round(100 * sorted(values)[int(quantile * (len(values) - 1))], 2) if values else None


def brings_what_is_said(said, measured):
    """A cause that was not planted is rightly named if its mend was measured to bring it."""
    return measured is not None and measured >= NAMED_ABOVE and measured >= said - SAME_GAIN


def score_bad(case, answer, score):
    """What is to be said of it beside the answer."""
    pair, gain = case.pair, measured_gain(case.pair)
    if gain is None:
        return "not measured"
    said = answer.gain(pair["removes"])
    text = f"measured {100 * gain:.1f} said {100 * said:.1f}"
    if is_wide(pair, "bad", "mended"):
        text += " (times spread)"
    elif not answer.missing:
        score.errors.append(abs(said - gain))
    if gain < WORTH_NAMING:
        return text
    score.worth += 1
    first = answer.first()
    if first and first[0] in pair["expected"]:
        score.right += 1
        return text
    text += f"  <-- wanted {'|'.join(pair['expected'])}"
    if set(first) & set(pair["expected"]):
        score.right += 1
        score.tied += 1
        return text + ", which is in a near tie"
    if first and first[0] in pair.get("other", []):
        other = measured_gain(pair, "bad", "other")
        is_other = brings_what_is_said(answer.gain(first[:1]), other)
        score.other += is_other
        text += f"; {first[0]} {'brings' if is_other else 'does not bring'} what is said"
    return text


def score_good(case, answer, score):
    pair = case.pair
    blamed = [(cause, part) for cause, part in answer.causes if part > NAMED_ABOVE and cause not in pair["allowed"]]
    score.good += 1
    if not blamed:
        return ""
    text = "  <-- blames " + ", ".join(cause for cause, _ in blamed)
    if {cause for cause, _ in blamed} <= set(pair.get("further", [])):
        if brings_what_is_said(answer.gain([cause for cause, _ in blamed]), measured_gain(pair, case.variant, "further")):
            score.other += 1
            return text + ", and mending that brings what is said"
    score.blamed += 1
    return text


def score_one(case, answer, score):
    score.recordings += 1
    if answer.missing:
        rest = score_bad(case, answer, score) if case.variant == "bad" else score_good(case, answer, score)
        return f"<-- no account: {answer.missing}; {rest}"
    score.accounts += 1
    score.unexplained.append(answer.unexplained)
    named = " ".join(f"{cause} {100 * part:.1f}" for cause, part in answer.causes[:3])
    return f"{named} | " + (score_bad if case.variant == "bad" else score_good)(case, answer, score)


def scored(cases, judge):
    """Scores by source, and a line by recording."""
    answers, scores, lines = answers_of(cases, judge), {}, {}
    for case in cases:
        lines[case.name] = score_one(case, answers[case.name], scores.setdefault(case.source, Score()))
    return scores, lines


# ---- what is printed

ROWS = [("accounts", lambda s: f"{s.accounts} of {s.recordings}"),
        ("first line right, near ties included", lambda s: f"{s.right} of {s.worth}"),
        ("  of these in a near tie", lambda s: str(s.tied)),
        ("  another way named that brings what is said", lambda s: str(s.other)),
        ("gain of what the mend removes: median error, points", lambda s: str(points(s.errors, 0.5))),
        ("  90th percentile, points", lambda s: f"{points(s.errors, 0.9)} ({len(s.errors)} pairs)"),
        ("healthy or mended, blamed", lambda s: f"{s.blamed} of {s.good}"),
        ("unexplained, median, % of the run", lambda s: str(points(s.unexplained, 0.5)))]


def print_scores(columns):
    for source in SOURCES:
        if source in columns[0]:
            print(f"\n{source}")
            for title, text in ROWS:
                print(f"  {title:52}" + "".join(f" {text(scores[source]):>18}" for scores in columns))


def print_lines(cases, columns):
    for case in cases:
        if case.is_told():
            told = [lines[case.name] for lines in columns]
            print(f"{case.name:60} {told[0]}")
            for text in told[1:]:
                print(f"{'':60} {'the same' if text == told[0] else text}")


def log_look(columns, judges, folder):
    """Each look at the half that is held out."""
    commit = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    for (_, what), scores in zip(judges, columns):
        values = {source: score.values() for source, score in scores.items()}
        with open(folder / "looks.log", "a") as file:
            file.write(f"{datetime.date.today()} {commit.stdout.strip()} {pathlib.Path(what).name} {json.dumps(values)}\n")


class Judge(argparse.Action):
    def __call__(self, _parser, namespace, value, option=None):
        namespace.judges.append((option.lstrip("-"), value))


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--olab", action=Judge, help="a program to ask")
    parser.add_argument("--answers", action=Judge, metavar="FILE", help="what a tool answered")
    parser.add_argument("--half", choices=("look", "held", "all"), default="look")
    parser.add_argument("--data", type=pathlib.Path, default=HERE)
    parser.add_argument("--only", metavar="REGEX", default="", help="pairs whose name has this; with --half look")
    parser.add_argument("--write-answers", metavar="FILE", help="the answers of the first --olab to the chosen half")
    parser.set_defaults(judges=[])
    args = parser.parse_args()
    if not args.judges or (args.only and args.half != "look") or (args.write_answers and args.half != "look"):
        parser.error("name --olab or --answers; --only and --write-answers are for the half that is looked at")
    return args


def main():
    args = read_arguments()
    cases = cases_of(args.data, args.half, args.only)
    if args.write_answers:
        answers = answers_of(cases, args.judges[0])
        lines = [line for case in cases for line in table_lines(case.name, answers[case.name])]
        return pathlib.Path(args.write_answers).write_text("\n".join(lines) + "\n")
    columns = [scored(cases, judge) for judge in args.judges]
    if args.half == "look":
        print_lines(cases, [lines for _, lines in columns])
    else:
        log_look([scores for scores, _ in columns], args.judges, args.data)
    print_scores([scores for scores, _ in columns])
    return 0


if __name__ == "__main__":
    sys.exit(main())
