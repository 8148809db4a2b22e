#include <olab/lesson/lesson_check.h>

#include "lesson_reader.h"

#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>

namespace olab::lesson {

std::optional<ActivityIndex> findOp(const LessonOp& op, const Trace& trace) {
    int seen = 0;
    const auto count = static_cast<ActivityIndex>(trace.size());
    for (ActivityIndex at = 0; at < count; ++at) // sorted by begin
        if (trace.cls(at) == op.cls && ++seen == op.number)
            return at;
    return std::nullopt;
}

BarTimes barTimes(const LessonBars& bars, const Trace& trace) {
    BarTimes made;
    for (const LessonBar& bar : bars.bars) {
        const auto at = findOp(bar.op, trace);
        if (!at)
            return {{},
                    "the run has no " + std::string(kClassRows[static_cast<std::size_t>(bar.op.cls)].label) +
                        " number " + std::to_string(bar.op.number)};
        made.times.push_back(trace.time(*at));
    }
    return made;
}

bool areTogether(const BarSpan& a, const BarSpan& b) {
    const double common = std::min(a.end, b.end) - std::max(a.begin, b.begin);
    return common > 0 && common >= kTogether * std::min(a.end - a.begin, b.end - b.begin);
}

BarOrder orderOf(const BarSpan& a, const BarSpan& b) {
    if (areTogether(a, b))
        return BarOrder::Together;
    return a.begin <= b.begin ? BarOrder::AFirst : BarOrder::BFirst;
}

std::vector<BarPair> barPairs(const std::vector<BarSpan>& predicted, const std::vector<Interval>& ran) {
    std::vector<BarPair> pairs;
    if (predicted.size() != ran.size())
        return pairs;
    const auto spanOf = [](const Interval& time) {
        return BarSpan{static_cast<double>(time.begin), static_cast<double>(time.end)};
    };
    for (std::size_t a = 0; a < ran.size(); ++a)
        for (std::size_t b = a + 1; b < ran.size(); ++b)
            pairs.push_back(
                {a, b, orderOf(predicted[a], predicted[b]), orderOf(spanOf(ran[a]), spanOf(ran[b]))});
    return pairs;
}

std::string scoreText(const std::vector<BarPair>& pairs) {
    const auto right = std::ranges::count_if(pairs, &BarPair::right);
    return std::to_string(right) + " of " + std::to_string(pairs.size()) + " pairs right.";
}

std::string pairText(const LessonBars& bars, const BarPair& pair) {
    const std::string both = bars.bars[pair.a].label + " and " + bars.bars[pair.b].label;
    const bool ranTogether = pair.ran == BarOrder::Together;
    if (pair.right())
        return both + (ranTogether ? ": together, as you had them." : ": apart, as you had them.");
    if (ranTogether)
        return both + ": you had them apart; they ran together.";
    if (pair.predicted == BarOrder::Together)
        return both + ": you had them together; they ran apart.";
    const std::string& first = bars.bars[pair.ran == BarOrder::AFirst ? pair.a : pair.b].label;
    const std::string& second = bars.bars[pair.ran == BarOrder::AFirst ? pair.b : pair.a].label;
    return both + ": you had " + second + " first; " + first + " ran first.";
}

namespace {

using detail::ValuePlace;

/// The runs that a step is checked against: its own, and earlier ones of the same kind and device.
class Bench {
public:
    Bench(const LessonRun& run, const LessonRuns& runs)
        : m_run(run)
        , m_runs(runs) {}

    /// Why this run cannot be compared; empty: it can.
    std::string obstacle(std::string_view name) const {
        const auto at = m_runs.find(name);
        if (name.empty())
            return {};
        if (at == m_runs.end() || !at->second)
            return "the experiment '" + std::string(name) +
                   "' of an earlier step was not run yet: go back and run it";
        return ofOneMachine(*at->second->recording(), *m_run.recording())
                   ? std::string()
                   : "'" + std::string(name) + "' is " + originText(*at->second->recording()) +
                         " and this run is " + originText(*m_run.recording()) +
                         ": run both on the same machine to compare them";
    }
    const assertion::Judged* judged(std::string_view name) const {
        if (name.empty())
            return &m_run.judged();
        return obstacle(name).empty() ? &m_runs.find(name)->second->judged() : nullptr;
    }
    CheckOutcome check(const std::vector<std::string>& holds) const {
        CheckOutcome made{Outcome::Holds, {}, {}, {}};
        for (const std::string& expression : holds) {
            made.found += made.found.empty() ? "" : "; ";
            if (std::string why = obstacle(detail::otherOf(expression)); !why.empty()) {
                made.outcome = Outcome::Unknown;
                made.found += why;
                continue;
            }
            const assertion::AssertionResult result = assertion::checkAssertion(
                m_run.judged(), expression, [this](std::string_view name) { return judged(name); });
            if (!result.passed && made.outcome == Outcome::Holds)
                made.outcome = result.judged ? Outcome::Differs : Outcome::Unknown;
            made.found += result.text;
        }
        return made;
    }
    std::string value(const ValuePlace& place) const {
        const assertion::Judged* const of = judged(place.other);
        if (!of)
            return "(not known)";
        const assertion::ValueText value = assertion::valueText(*of, place.left);
        if (!value.known)
            return "(not known)";
        return place.isPercent ? fixedText(std::round(value.number * 100), 0) + " %" : value.text;
    }
    std::string filled(std::string_view text) const {
        return detail::withValues(text, [this](const ValuePlace& place) { return value(place); });
    }
    LessonText filled(LessonText text) const {
        for (TextBlock& block : text)
            for (TextSpan& span : block.spans)
                span.text = filled(span.text);
        return text;
    }

private:
    const LessonRun& m_run;
    const LessonRuns& m_runs;
};

CheckOutcome outcomeOf(const LessonCheck& check, const Bench& bench) {
    CheckOutcome made = bench.check(check.holds);
    const bool otherwise = made.outcome == Outcome::Differs && !check.differs.empty();
    made.text = bench.filled(otherwise ? check.differs : check.says);
    return made;
}

} // namespace

bool ofOneMachine(const recording::Recording& a, const recording::Recording& b) {
    const auto isSimulated = [](const recording::Recording& run) {
        return run.trace.provenance().source == SourceKind::Simulated;
    };
    const auto nameOf = [](const recording::Recording& run) {
        const auto& devices = run.trace.devices();
        return devices.empty() ? std::string_view() : std::string_view(devices.front().name);
    };
    return isSimulated(a) == isSimulated(b) && (isSimulated(a) || nameOf(a) == nameOf(b));
}

StepOutcome judgeStep(const LessonStep& step, const LessonRun& run, const LessonRuns& runs) {
    const Bench bench(run, runs);
    StepOutcome made;
    if (step.question)
        for (const LessonAnswer& answer : step.question->answers) {
            made.answers.push_back(bench.check(answer.holds));
            made.answers.back().text = answer.text;
            made.answers.back().why = bench.filled(answer.why);
        }
    for (const LessonCheck& check : step.checks)
        made.checks.push_back(outcomeOf(check, bench));
    if (step.bars)
        made.bars = barTimes(*step.bars, run.recording()->trace);
    if (step.writing)
        made.model = bench.filled(step.writing->model);
    made.why = bench.filled(step.why);
    return made;
}

CheckOutcome judgeExercise(const LessonExercise& exercise, const LessonRun& run, const LessonRuns& runs) {
    return outcomeOf(exercise.check, Bench(run, runs));
}

std::optional<std::pair<std::string, std::string>> attemptedChange(const LessonStep& step,
                                                                   const experiment::Experiment& made) {
    if (!step.exercise || !step.experiment)
        return std::nullopt;
    for (const std::string& key : step.exercise->options) {
        std::string value = experiment::optionText(made, key);
        experiment::HeldExperiment changed = step.experiment->experiment;
        if (value == experiment::optionText(changed, key))
            continue;
        experiment::setOption(changed, key, value);
        if (changed == experiment::HeldExperiment(made))
            return std::pair{key, std::move(value)};
    }
    return std::nullopt;
}

bool refersTo(const LessonStep& step, std::string_view name) {
    if (name.empty())
        return false;
    const std::string reference = "@" + std::string(name);
    const auto has = [&](const std::string& text) { return text.find(reference) != text.npos; };
    const auto hasAny = [&](const std::vector<std::string>& texts) {
        return std::ranges::any_of(texts, has);
    };
    const auto ofAnswer = [&](const LessonAnswer& answer) { return hasAny(answer.holds) || has(answer.why); };
    const auto ofCheck = [&](const LessonCheck& check) {
        return has(check.says) || has(check.differs) || hasAny(check.holds);
    };
    const auto ofBlock = [&](const TextBlock& block) {
        return std::ranges::any_of(block.spans, has, &TextSpan::text);
    };
    return (step.experiment && step.experiment->compare == name) ||
           (step.exercise && ofCheck(step.exercise->check)) ||
           (step.question && std::ranges::any_of(step.question->answers, ofAnswer)) ||
           std::ranges::any_of(step.checks, ofCheck) || std::ranges::any_of(step.why, ofBlock);
}

std::string expectedFinding(const LessonStep& step) {
    constexpr std::string_view kBegin = "finding(", kEnd = ")>=1";
    for (const LessonCheck& check : step.checks)
        for (const std::string& holds : check.holds)
            if (holds.starts_with(kBegin) && holds.ends_with(kEnd))
                return holds.substr(kBegin.size(), holds.size() - kBegin.size() - kEnd.size());
    return {};
}

std::string originText(const recording::Recording& recording) {
    const auto& devices = recording.trace.devices();
    const std::string device = devices.empty() ? std::string() : " on " + devices.front().name;
    if (recording.trace.provenance().source == SourceKind::Simulated)
        return "simulated";
    if (recording.trace.provenance().source == SourceKind::Cuda)
        return (recording.live ? "measured" : "recorded") + device;
    return "imported";
}

} // namespace olab::lesson
