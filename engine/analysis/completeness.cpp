#include "completeness.h"

#include "sentences.h"
#include "verdicts.h"

#include <algorithm>

namespace olab {
namespace {

bool wasTraced(const AnalysisInput& input) {
    const auto windows = input.trace.windows();
    if (windows.empty())
        return input.schedule->experiment.trace != TraceMode::Off;
    return std::any_of(windows.begin(), windows.end(), [](const WindowRecord& w) { return w.traced; });
}

bool isKnown(const std::vector<Defect>& defects, DefectCode code, ActivityClass cls) {
    return std::any_of(defects.begin(), defects.end(),
                       [&](const Defect& d) { return d.code == code && (d.classes & maskOf(cls)) != 0; });
}

void compare(ActivityClass cls, std::uint64_t expected, std::uint64_t recorded,
             std::vector<Defect>& defects) {
    if (recorded == expected)
        return;
    const DefectCode code = recorded < expected ? DefectCode::MissingOps : DefectCode::ExtraOps;
    if (isKnown(defects, code, cls))
        return;
    const std::uint64_t difference = recorded < expected ? expected - recorded : recorded - expected;
    defects.push_back({code, difference, maskOf(cls),
                       std::string(classLabel(cls)) + ": " + std::to_string(recorded) + " of " +
                           std::to_string(expected) + " recorded"});
}

} // namespace

void addCompletenessDefects(const AnalysisInput& input, std::vector<Defect>& defects) {
    if (!input.schedule || !wasTraced(input))
        return;
    std::array<std::uint64_t, kClassCount> recorded{};
    for (ActivityIndex i = 0; i < input.trace.size(); ++i)
        ++recorded[static_cast<std::size_t>(input.trace.cls(i))];
    for (std::size_t c = 0; c <= static_cast<std::size_t>(ActivityClass::HostFn); ++c)
        compare(static_cast<ActivityClass>(c), input.schedule->expected[c], recorded[c], defects);
}

void addToolEffectDefect(const std::optional<ToolEffect>& effect, std::vector<Defect>& defects) {
    if (effect && effect->ratio() > kMaxToolEffect)
        defects.push_back(
            {DefectCode::ToolEffect, 1, kAllClasses,
             timeText(effect->traced) + " recorded, " + timeText(effect->untraced) + " without"});
}

} // namespace olab
