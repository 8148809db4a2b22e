#include "steady_text.h"

#include <olab/analysis/steady_state.h>
#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

#include <algorithm>

namespace olab::cli {
namespace {

std::string ofPair(const analysis::Verdict& v, bool manyDevices) {
    return std::string(classLabel(v.a)) + " | " + std::string(classLabel(v.b)) +
           (manyDevices ? " (device " + v.device + ")" : "");
}

std::string outcomeOf(const analysis::Verdict& v) {
    const bool isNumber = v.known && v.kind != analysis::VerdictKind::NotApplicable;
    return std::string(analysis::verdictName(v.kind)) +
           (isNumber ? " " + fixedText(v.ofAttainable * 100, 1) + " %" : std::string());
}

const analysis::Verdict* sameIn(const std::vector<analysis::Verdict>& verdicts,
                                const analysis::Verdict& wanted) {
    const auto found = std::ranges::find_if(verdicts, [&](const analysis::Verdict& v) {
        return v.device == wanted.device && v.a == wanted.a && v.b == wanted.b;
    });
    return found == verdicts.end() ? nullptr : &*found;
}

/// From its begin, as --from and --to count.
std::string placeOf(const analysis::JudgedIteration& iteration, Ns origin) {
    return "--from " + std::to_string(iteration.time.begin - origin) + "ns --to " +
           std::to_string(iteration.time.end - origin) + "ns";
}

bool saysSomething(const analysis::Verdict* v) {
    return v && v->kind != analysis::VerdictKind::Inconclusive &&
           v->kind != analysis::VerdictKind::NotApplicable;
}

/// Those that one iteration alone is long enough to judge.
Printed pairLines(const analysis::SteadyState& found, const analysis::Report& whole) {
    constexpr int kMost = 8;
    Printed text;
    const bool many = whole.devices.size() > 1;
    int lines = 0, more = 0;
    for (const analysis::Verdict& v : whole.verdicts) {
        const analysis::Verdict *typical = sameIn(found.judged[0].verdicts, v),
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

Printed steadyText(const recording::Recording& recording) {
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
         << analysis::timeText(found->judged[0].time.length()) << " (" << placeOf(found->judged[0], origin)
         << ")\n";
    return text << "  worst: number " << found->judged[1].number + 1 << ", "
                << analysis::timeText(found->judged[1].time.length()) << " ("
                << placeOf(found->judged[1], origin) << ")\n";
}

} // namespace olab::cli
