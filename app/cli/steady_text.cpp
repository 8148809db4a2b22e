#include "steady_text.h"

#include <olab/analysis/steady_state.h>
#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

#include <algorithm>

namespace olab::cli {
namespace {

std::string ofPair(const Verdict& v, bool manyDevices) {
    return std::string(classLabel(v.a)) + " | " + std::string(classLabel(v.b)) +
           (manyDevices ? " (device " + v.device + ")" : "");
}

std::string outcomeOf(const Verdict& v) {
    const bool isNumber = v.known && v.kind != VerdictKind::NotApplicable;
    return std::string(verdictName(v.kind)) +
           (isNumber ? " " + fixedText(v.ofAttainable * 100, 1) + " %" : std::string());
}

const Verdict* sameIn(const std::vector<Verdict>& verdicts, const Verdict& wanted) {
    const auto found = std::ranges::find_if(verdicts, [&](const Verdict& v) {
        return v.device == wanted.device && v.a == wanted.a && v.b == wanted.b;
    });
    return found == verdicts.end() ? nullptr : &*found;
}

/// From its begin, as --from and --to count.
std::string placeOf(const JudgedIteration& iteration, Ns origin) {
    return "--from " + std::to_string(iteration.time.begin - origin) + "ns --to " +
           std::to_string(iteration.time.end - origin) + "ns";
}

bool saysSomething(const Verdict* v) {
    return v && v->kind != VerdictKind::Inconclusive && v->kind != VerdictKind::NotApplicable;
}

/// Those that one iteration alone is long enough to judge.
Printed pairLines(const SteadyState& found, const Report& whole) {
    constexpr int kMost = 8;
    Printed text;
    const bool many = whole.devices.size() > 1;
    int lines = 0, more = 0;
    for (const Verdict& v : whole.verdicts) {
        const Verdict *typical = sameIn(found.judged[0].verdicts, v),
                      *worst = sameIn(found.judged[1].verdicts, v);
        if (v.minor() || !typical || !worst || (!saysSomething(typical) && !saysSomething(worst)))
            continue;
        if (lines++ < kMost)
            text << "  " << ofPair(v, many) << ": whole " << outcomeOf(v) << ", typical "
                 << outcomeOf(*typical) << ", worst " << outcomeOf(*worst) << "\n";
        else
            ++more;
    }
    if (more > 0)
        text << "  and " << more << " pairs more (--json has all)\n";
    if (lines == 0)
        text << "  one iteration alone is too short to judge its pairs\n";
    return text;
}

} // namespace

Printed steadyText(const Recording& recording) {
    const auto& found = recording.report.steadyState;
    if (!found || !found->missing.empty())
        return {};
    Printed text;
    text << "\nsteady state\n  " << found->text << "\n";
    if (found->judged.size() < 2)
        return text;
    const Ns origin = recording.trace.deviceSpan().begin;
    text << pairLines(*found, recording.report);
    text << "  typical: number " << found->judged[0].number + 1 << ", "
         << timeText(found->judged[0].time.length()) << " (" << placeOf(found->judged[0], origin) << ")\n";
    return text << "  worst: number " << found->judged[1].number + 1 << ", "
                << timeText(found->judged[1].time.length()) << " (" << placeOf(found->judged[1], origin)
                << ")\n";
}

} // namespace olab::cli
