// Which options have no effect, or cannot be changed, with the others as they are: the form disables them.
#include "plan_size.h"

#include <olab/experiment/option_table.h>

#include <algorithm>
#include <array>

namespace olab {
namespace {

/// An option without effect: while `idle` holds, the form disables `key` and shows `because`.
struct IdleRule {
    std::string_view key;
    bool (*idle)(const Experiment&);
    std::string_view because;
};

bool withoutH2d(const Experiment& e) {
    return !e.h2d;
}
bool withoutMemset(const Experiment& e) {
    return !e.memset;
}
bool withoutKernel(const Experiment& e) {
    return !e.kernel;
}
bool withoutD2h(const Experiment& e) {
    return !e.d2h;
}
bool withoutCallback(const Experiment& e) {
    return !e.callback;
}
bool perThreadStreams(const Experiment& e) {
    return e.streamKind == StreamFlavor::PerThread;
}
bool oneStream(const Experiment& e) {
    return e.streams == 1;
}
bool wholePasses(const Experiment& e) {
    return e.order == IssueOrder::Depth && e.streams > 1 &&
           (e.issue == IssueMode::OnCallback || e.issueThreads == IssueThreads::PerStream);
}
/// Ops between passes: a single pass has none.
bool onePass(const Experiment& e) {
    return detail::passCount(e) == 1;
}
bool notPageLocked(const Experiment& e) {
    return e.h2dMemory == HostMemory::Pageable || e.h2dMemory == HostMemory::Managed;
}
bool noCopyOut(const Experiment& e) {
    return e.d2h && usedInPlace(e.d2hMemory);
}
constexpr std::string_view kNoH2d = "There is no H2D copy: h2d is off.";
constexpr std::string_view kNoMemset = "There is no memset: memset is off.";
constexpr std::string_view kNoKernel = "There is no kernel: kernel is off.";
constexpr std::string_view kNoD2h = "There is no D2H copy: d2h is off.";
constexpr std::string_view kNoCallback = "There is no callback: callback is off.";

constexpr std::array kIdleRules{
    IdleRule{"h2d.bytes", withoutH2d, kNoH2d},
    IdleRule{"h2d.first_bytes", withoutH2d, kNoH2d},
    IdleRule{"h2d.memory", withoutH2d, kNoH2d},
    IdleRule{"h2d.portable", withoutH2d, kNoH2d},
    IdleRule{"h2d.portable", notPageLocked, "Only page-locked memory can be portable: h2d.memory is not."},
    IdleRule{"h2d.target", withoutH2d, kNoH2d},
    IdleRule{"memset.bytes", withoutMemset, kNoMemset},
    IdleRule{"memset.method", withoutMemset, kNoMemset},
    IdleRule{"kernel.kind", withoutKernel, kNoKernel},
    IdleRule{"kernel.us", withoutKernel, kNoKernel},
    IdleRule{"kernel.blocks", withoutKernel, kNoKernel},
    IdleRule{"kernel.threads", withoutKernel, kNoKernel},
    IdleRule{"kernel.smem", withoutKernel, kNoKernel},
    IdleRule{"kernel.stream", withoutKernel, kNoKernel},
    IdleRule{"d2h.bytes", withoutD2h, kNoD2h},
    IdleRule{"d2h.memory", withoutD2h, kNoD2h},
    IdleRule{"sync.at", withoutD2h, kNoD2h},
    IdleRule{"sync.at", noCopyOut, "There is no D2H copy: d2h.memory is used in place."},
    IdleRule{"callback.method", withoutCallback, kNoCallback},
    IdleRule{"callback.us", withoutCallback, kNoCallback},
    IdleRule{"buffers", oneStream, "With one stream there is nobody to share with."},
    IdleRule{"order", oneStream, "With one stream both orders issue the same ops."},
    IdleRule{"order", wholePasses, "A stream's pass is issued as a whole: issue or issue.threads says so."},
    IdleRule{"stream.priority", perThreadStreams,
             "Per-thread default streams come without a choice of priority."},
    IdleRule{"stream.priority", oneStream, "With one stream there is nothing to be put first."},
    IdleRule{"null_op", onePass, "The op goes between passes, and there is only one pass."},
    IdleRule{"interfere", onePass, "The call goes between passes, and there is only one pass."},
};

/// When each other value would conflict, the sentence of the first: the control cannot be changed.
std::string lockedBecause(const Experiment& experiment, const OptionRow& row) {
    const bool step =
        row.group == "Steps"; // can be turned off first: the conflict then says what else to change
    if (step || (row.type != OptionType::Choice && row.type != OptionType::Switch))
        return {};
    const std::string current = row.get(experiment);
    std::string first;
    for (const std::string_view choice : row.choices) {
        if (choice == current)
            continue;
        std::string sentence = conflictOf(experiment, row.key, choice);
        if (sentence.empty())
            return {};
        if (first.empty())
            first = std::move(sentence);
    }
    return first;
}

} // namespace

std::string disabledBecause(const Experiment& experiment, std::string_view key) {
    const OptionRow* row = findOption(key);
    if (!row)
        static_cast<void>(optionText(experiment, key)); // throws bad-key
    const auto rule = std::find_if(kIdleRules.begin(), kIdleRules.end(),
                                   [&](const IdleRule& r) { return r.key == key && r.idle(experiment); });
    if (rule != kIdleRules.end())
        return std::string(rule->because);
    return lockedBecause(experiment, *row);
}

} // namespace olab
