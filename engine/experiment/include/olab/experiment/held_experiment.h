// An experiment for code that stores it, passes it on, or reads and changes it by option key. Such code knows
// none of its members, so a new option does not affect it. Only code that uses members (plan() and its
// helpers) includes experiment.h. Values; any thread.
#pragma once

#include <olab/trace/error.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment {

struct Experiment;
bool sameOptions(const Experiment& a, const Experiment& b); ///< a == b

/// Has value semantics: a copy copies all options, and equality compares them. A moved-from object may only
/// be assigned to or destroyed.
class HeldExperiment {
public:
    HeldExperiment(); ///< every option at its default
    /// With these set, "key=value" each. @throws as setOption
    explicit HeldExperiment(std::initializer_list<std::string_view> assignments);
    HeldExperiment(const Experiment& experiment); // NOLINT: the same value
    HeldExperiment(const HeldExperiment& other);
    HeldExperiment(HeldExperiment&& other) noexcept;
    HeldExperiment& operator=(const HeldExperiment& other);
    HeldExperiment& operator=(HeldExperiment&& other) noexcept;
    ~HeldExperiment();

    Experiment& operator*() { return *m_value; }
    const Experiment& operator*() const { return *m_value; }
    Experiment* operator->() { return m_value.get(); }
    const Experiment* operator->() const { return m_value.get(); }
    operator Experiment&() { return *m_value; }             // NOLINT: passed to functions that take one
    operator const Experiment&() const { return *m_value; } // NOLINT
    friend bool operator==(const HeldExperiment& a, const HeldExperiment& b) { return sameOptions(*a, *b); }
    friend bool operator==(const HeldExperiment& a, const Experiment& b) { return sameOptions(*a, b); }

private:
    std::unique_ptr<Experiment> m_value;
};

/// The same value, shared by all holders.
std::shared_ptr<const Experiment> shareExperiment(const Experiment& experiment);

/// Environment variables ("NAME=value") with which the process that runs the experiment must be started. CUDA
/// reads them at startup, so a different set needs a different process.
std::vector<std::string> environmentOf(const Experiment& experiment);
/// "key=value" of what only the simulator supports; empty: the experiment can run on a GPU.
std::vector<std::string> simulatorOnly(const Experiment& experiment);
/// The effect shows only in a process that has done nothing yet (the first launch of a kernel).
bool needsFreshProcess(const Experiment& experiment);

/// The value of `key` as text, as `set` reads it. @throws Error (bad-key) for an unknown key.
std::string optionText(const Experiment& experiment, std::string_view key);
/// Sets one option from text. @throws Error kind Usage: bad-key (names the nearest key) or bad-value (names
/// key, value, allowed).
void setOption(Experiment& experiment, std::string_view key, std::string_view value);
/// Sets options from "key=value". @throws as setOption
void setOption(Experiment& experiment, std::string_view assignment);
/// The same for an option that is a number or a size in bytes. @throws Error bad-key, bad-value; kind
/// Internal for another one
std::int64_t optionNumber(const Experiment& experiment, std::string_view key);
void setNumber(Experiment& experiment, std::string_view key, std::int64_t value);

/// Why this combination is impossible, one sentence each; empty if it is possible. plan() refuses the same
/// ones.
std::vector<std::string> conflicts(const Experiment& experiment);
/// The sentence of the conflict that setting `key` to `value` would add; empty if there is none. @throws as
/// setOption
std::string conflictOf(const Experiment& experiment, std::string_view key, std::string_view value);
/// Why `key` has no effect or cannot be changed with the other options as they are (the form disables the
/// control and shows this sentence); empty when it is free. E.g. h2d.bytes while h2d=off.
std::string disabledBecause(const Experiment& experiment, std::string_view key);

/// Flat JSON object with dotted keys, every key present, numbers and booleans-as-"on"/"off" as the table
/// types them.
std::string experimentToJson(const Experiment& experiment);
/// Reads such an object (missing keys keep their default). @throws Error kind Usage.
HeldExperiment experimentFromJson(std::string_view json);
/// "key=value" of every option that differs from the default, in table order.
std::vector<std::string> differsFromDefault(const Experiment& experiment);

} // namespace olab::experiment
