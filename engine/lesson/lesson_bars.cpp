#include <olab/lesson/lesson_bars.h>

#include <algorithm>

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

} // namespace olab::lesson
