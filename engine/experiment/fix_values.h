// The values that a search for a faster pipeline tries for an option, or why it leaves it, for the rows of
// the table. Private to the module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_row.h>

#include <algorithm>
#include <array>

namespace olab::experiment::detail {

using FixValues = std::vector<std::string>;

inline constexpr std::string_view kWork = "a different amount of work is not comparable";
inline constexpr std::string_view kKernel = "the kernel would be another one, which computes something else";
inline constexpr std::string_view kMeaning = "this order or this buffer was requested explicitly";
inline constexpr std::string_view kMeasuring = "it is about how the run is measured";
inline constexpr std::string_view kMachine = "it chooses a machine, not a pipeline";

/// Each choice of the row, or on and off.
inline constexpr FixRole::Values everyChoice = nullptr;

/// Numbers of streams that divide all passes evenly.
inline FixValues otherStreamCounts(const Experiment& e) {
    FixValues values;
    if (e.h2dFirstBytes > 0) // the first stream's passes move a different number of bytes
        return values;
    for (const int streams : {2, 3, 4, 6, 8, 12, 16, 24, 32})
        if (streams != e.streams && e.streams * e.iterations % streams == 0)
            values.push_back(std::to_string(streams));
    return values;
}

/// mapped and managed need no copy: the kernel reads the memory in place, each byte once.
inline FixValues otherSources(const Experiment&) {
    return {"pinned", "registered", "wc", "mapped"};
}
inline FixValues otherTargets(const Experiment&) {
    return {"pinned", "registered", "mapped"};
}

/// Waits that stream order makes redundant only cost time.
inline FixValues withoutIdleWaits(const Experiment& e) {
    return e.deps == Deps::SameStream ? FixValues{"none"} : FixValues{};
}

/// A call that leaves no work on the device belongs outside the loop; its purpose is still met.
inline FixValues withoutCalls(const Experiment& e) {
    constexpr std::array kWorkers{Interfere::MemsetSync, Interfere::D2d, Interfere::FirstLaunch};
    return std::ranges::find(kWorkers, e.interfere) == kWorkers.end() ? FixValues{"none"} : FixValues{};
}

inline FixValues moreConnections(const Experiment&) {
    return {"default", "32"};
}
inline FixValues off(const Experiment&) {
    return {"off"};
}
inline FixValues longerQueues(const Experiment&) {
    return {"default", "4x"};
}

} // namespace olab::experiment::detail
