// What every backend must leave behind, whatever device it runs on: the checks that the simulator and the
// CUDA backend share. Knows nothing of CUDA. A case is an experiment; running it through a backend yields a
// list of sentences, empty when all is well.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/experiment/plan.h>
#include <olab/trace/trace_builder.h>

#include <ostream>
#include <string>
#include <vector>

namespace olab::conformance {

struct Case {
    std::string name; ///< "kernel.blocks=fill:8": usable as a test's name after testName()
    experiment::HeldExperiment experiment;
};

/// What gtest shows of a case.
inline void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

/// Letters, digits and underscores only.
std::string testName(const Case& c);

/// Small enough that all cases together take seconds, and with every step.
experiment::HeldExperiment smallExperiment();
/// `base`, then `base` with one option set to each of its values in turn; of numbers the smallest and some
/// others.
std::vector<Case> everyOptionValue(const experiment::Experiment& base);

/// Settings that only mean something together. All are possible with smallExperiment().
std::vector<Case> everyCombination(const experiment::Experiment& base);
/// For machines with more than one device.
std::vector<Case> everyDeviceValue(const experiment::Experiment& base);
/// Whether the data of an experiment may come out wrong on purpose: nothing orders its steps.
bool mayRace(const experiment::Experiment& experiment);

/// How far time stamps of one clock, and of host and device, may contradict each other.
struct Tolerance {
    Ns device = 0;
    Ns hostToDevice = 0;
};

/// Runs; the trace as the backend left it. @throws Error
Trace execute(experiment::Backend& backend, const experiment::Plan& schedule,
              const experiment::RunOptions& options = {});

/// Everything wrong with `trace` as the record of `schedule`.
std::vector<std::string> problems(const experiment::Plan& schedule, const Trace& trace,
                                  const Tolerance& tolerance = {});

} // namespace olab::conformance
