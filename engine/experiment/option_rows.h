// What the rows of the option table are made of. Private to the module.
#pragma once

#include "option_values.h"
#include "plan_parts.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_row.h>
#include <olab/experiment/schedule.h>

#include <algorithm>
#include <array>
#include <vector>

namespace olab::experiment::detail {

// The values that a search for a faster pipeline tries for an option, or why it leaves it, for the rows of
// the table.

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

/// Streams by role, or one for each pipeline; never without the events that data needs.
inline FixValues rolesOrNot(const Experiment&) {
    return {"off", "on"};
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

// When options have no effect, for the rows of the table.

inline bool withoutH2d(const Experiment& e) {
    return !e.h2d;
}
inline bool withoutMemset(const Experiment& e) {
    return !e.memset;
}
inline bool withoutKernel(const Experiment& e) {
    return !e.kernel;
}
inline bool withoutD2h(const Experiment& e) {
    return !e.d2h;
}
inline bool withoutCallback(const Experiment& e) {
    return !e.callback;
}
inline bool perThreadStreams(const Experiment& e) {
    return e.streamKind == PlannedStreamKind::PerThread;
}
inline bool oneStream(const Experiment& e) {
    return e.streams == 1;
}
inline bool wholePasses(const Experiment& e) {
    return e.order == IssueOrder::Depth && e.streams > 1 &&
           (e.issue == IssueMode::OnCallback || e.issueThreads == IssueThreads::PerStream);
}
inline bool oneStreamOnDevice(const Experiment& e) {
    return streamsOf(e) == 1;
}
/// Ops between passes: a single pass has none.
inline bool onePass(const Experiment& e) {
    return passCount(e) == 1;
}
inline bool notPageLocked(const Experiment& e) {
    return e.h2dMemory == HostMemory::Pageable || e.h2dMemory == HostMemory::Managed;
}
inline bool noCopyOut(const Experiment& e) {
    return e.d2h && usedInPlace(e.d2hMemory);
}
inline constexpr std::string_view kNoH2d = "There is no H2D copy: h2d is off.";
inline constexpr std::string_view kNoMemset = "There is no memset: memset is off.";
inline constexpr std::string_view kNoKernel = "There is no kernel: kernel is off.";
inline constexpr std::string_view kNoD2h = "There is no D2H copy: d2h is off.";
inline constexpr std::string_view kNoCallback = "There is no callback: callback is off.";

// Why an option has no effect on recorded work.
inline constexpr std::string_view kRecordedSizes = "Sizes are those of the recording.";
inline constexpr std::string_view kRecordedKernels =
    "Each kernel has the duration and the grid that it had in the recording.";
inline constexpr std::string_view kRecordedOrder =
    "Operations are issued in the order in which the recording has them.";
inline constexpr std::string_view kRecordedWaits = "Streams wait for events where the recording does.";
inline constexpr std::string_view kUnknownData = "Nothing is known of the data of recorded work.";
inline constexpr std::string_view kNoPasses = "Recorded work has no passes to put something between.";

/// One builder per type of option: a row of the table has its texts, the member of Experiment that it sets
/// and the allowed values. The builders create the accessors, so a row cannot read one member and write
/// another.
struct OptionTexts {
    std::string_view key, group, label, help;
    FixRole fix;
    std::string_view idleInRecordedWork{};
};

inline OptionRow textRow(OptionType type, const OptionTexts& texts, std::string_view unit = {},
                         Range range = {}) {
    OptionRow row(texts.fix);
    row.idleInRecordedWork = texts.idleInRecordedWork;
    row.key = texts.key;
    row.group = texts.group;
    row.label = texts.label;
    row.help = texts.help;
    row.type = type;
    row.unit = unit;
    row.min = range.min;
    row.max = range.max;
    row.step = range.step;
    return row;
}

template <typename Member>
OptionRow integerRow(const OptionTexts& texts, Member Experiment::*member, Range range,
                     std::string_view unit = {}) {
    OptionRow row = textRow(OptionType::Integer, texts, unit, range);
    row.get = [member](const Experiment& e) { return std::to_string(e.*member); };
    row.set = [member, range, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = static_cast<Member>(integerFromText(key, text, range));
    };
    return row;
}

inline OptionRow bytesRow(const OptionTexts& texts, std::int64_t Experiment::*member, Range range) {
    OptionRow row = textRow(OptionType::Bytes, texts, "B", range);
    row.get = [member](const Experiment& e) { return bytesToText(e.*member); };
    row.set = [member, range, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = bytesFromText(key, text, range);
    };
    return row;
}

inline OptionRow switchRow(const OptionTexts& texts, bool Experiment::*member) {
    OptionRow row = textRow(OptionType::Switch, texts);
    row.choices = {"on", "off"};
    row.get = [member](const Experiment& e) { return e.*member ? "on" : "off"; };
    row.set = [member, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = switchFromText(key, text);
    };
    return row;
}

/// `choices` in the order of the enumerators.
template <typename Enum>
OptionRow choiceRow(const OptionTexts& texts, Enum Experiment::*member,
                    std::vector<std::string_view> choices) {
    OptionRow row = textRow(OptionType::Choice, texts);
    row.choices = choices;
    row.get = [member, choices](const Experiment& e) {
        return std::string(choices[static_cast<std::size_t>(e.*member)]);
    };
    row.set = [member, choices, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = static_cast<Enum>(choiceFromText(key, text, choices));
    };
    return row;
}

inline OptionRow modelRow(const OptionTexts& texts, std::string Experiment::*member,
                          std::vector<std::string_view> builtIn) {
    OptionRow row = textRow(OptionType::Model, texts);
    row.choices = builtIn;
    row.get = [member](const Experiment& e) { return e.*member; };
    row.set = [member, builtIn, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = modelFromText(key, text, builtIn);
    };
    return row;
}

inline OptionRow blocksRow(const OptionTexts& texts, BlockCount Experiment::*member, Range range) {
    OptionRow row = textRow(OptionType::Blocks, texts, "blocks", range);
    row.get = [member](const Experiment& e) { return blocksToText(e.*member); };
    row.set = [member, range, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = blocksFromText(key, text, range);
    };
    return row;
}

/// `row`, which has no effect while one of `rules` holds.
inline OptionRow idleWhile(std::vector<IdleRule> rules, OptionRow row) {
    row.idle = std::move(rules);
    return row;
}

/// `row`, which has one value for the whole schedule.
inline OptionRow lowered(void (*lower)(const Experiment&, Schedule&), OptionRow row) {
    row.lower = lower;
    return row;
}

/// `row`, which is an environment variable that CUDA reads.
inline OptionRow variable(EnvironmentRow environment, OptionRow row) {
    row.environment = environment;
    return row;
}

/// `row`, which an exported program cannot express.
inline OptionRow notInCode(std::string_view because, OptionRow row) {
    row.notInCode = because;
    return row;
}

} // namespace olab::experiment::detail
