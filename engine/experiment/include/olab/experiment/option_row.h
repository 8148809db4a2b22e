// One option of the table: everything about it, including its effect if it is one value for the whole
// schedule.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment {

struct Schedule;

inline constexpr std::int64_t kMaxFill = 64; ///< Blocks: "fill:1" to "fill:64"

enum class OptionType : std::uint8_t { Switch, Integer, Bytes, Choice, Blocks, Model };
std::string_view
optionTypeName(OptionType type); ///< "switch", "integer", "bytes", "choice", "blocks", "model"

/// While `holds`, the option has no effect: the form disables it and shows `because`.
struct IdleRule {
    bool (*holds)(const Experiment&);
    std::string_view because;
};

/// Whether a search for a faster pipeline may change an option, and to what. It must not change what the
/// pipeline computes (steps, sizes, passes, the kernel itself), requested orders (deps, buffers), and how it
/// is measured.
struct FixRole {
    using Values = std::vector<std::string> (*)(const Experiment&);
    constexpr FixRole(std::string_view because)
        : keptBecause(because) {} // NOLINT: lets a row state it in one word
    constexpr FixRole(const char* because)
        : keptBecause(because) {} // NOLINT
    constexpr FixRole(Values tried)
        : values(tried) {}          // NOLINT
    std::string_view keptBecause{}; ///< why it must not change; empty: it may
    Values values = nullptr;        ///< to try for an experiment
};

/// A variable that CUDA reads when its process starts.
struct EnvironmentRow {
    std::string_view name{};                          ///< empty: the option sets none
    std::string (*value)(std::string_view) = nullptr; ///< from the option's text; null: the text itself
};

struct OptionRow {
    explicit OptionRow(FixRole role)
        : fix(role) {}
    std::string_view key;   ///< "h2d.bytes"
    std::string_view group; ///< heading in the form: "Steps", "Sizes", "Memory", "Kernel", "Streams", ...
    std::string_view label; ///< "H2D bytes per copy"
    std::string_view help;  ///< what it does to the hardware, one or two sentences: tooltip and --help
    OptionType type{};
    std::string_view unit;                 ///< "us", "B" or empty
    std::int64_t min = 0, max = 0;         ///< Integer, Bytes, Blocks (a plain number of them)
    std::int64_t step = 1;                 ///< Integer: the value is a multiple of it
    std::vector<std::string_view> choices; ///< Choice: in the order of the contract, default first; Switch:
                                           ///< on, off; Model: the built-in ones
    std::vector<IdleRule> idle;            ///< the first that applies is shown
    std::string_view idleInRecordedWork;   ///< why it has no effect on recorded work; empty: it has
    std::function<std::string(const Experiment&)> get;
    std::function<void(Experiment&, std::string_view)> set; ///< @throws Error bad-value
    FixRole fix;
    /// Sets it in a schedule if it is one value for the whole schedule; null: plan() creates ops or buffers
    /// from it.
    void (*lower)(const Experiment&, Schedule&) = nullptr;
    EnvironmentRow environment{}; ///< while the option is not at its default
    /// Why an exported program cannot express it: completes "KEY=VALUE is not in this program: "; empty: it
    /// does.
    std::string_view notInCode{};
};

/// "16MiB" <-> 16777216. Suffixes B KiB MiB GiB. @throws Error bad-value
std::int64_t bytesFromText(std::string_view key, std::string_view text);
std::string bytesToText(std::int64_t bytes);

} // namespace olab::experiment
