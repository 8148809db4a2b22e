// How much more one of two compared runs did than the other, so that times can be compared per work. Pure
// functions, any thread.
#pragma once

#include <optional>
#include <string>

namespace olab::comparison {

struct ComparedRun;

/// Ratios are after / before; empty: unknown, or one of the two did none of it.
struct WorkChange {
    std::optional<double> operations; ///< device work, by its records
    std::optional<double> bytes;      ///< of copies and memsets
    /// Of the lab's runs what kernel.us plans. Of other programs what was measured, 1 if both ran the same
    /// kernels: a kernel that became slower is no more work.
    std::optional<double> kernelTime;
    /// How many times the work: all classes of it agree. Empty: they differ, or nothing is known.
    std::optional<double> amount;
    bool perIteration = false;           ///< the work grew with the iterations
    std::optional<double> iterationTime; ///< median of the iterations that repeat in both, outside the lab

    bool differs() const; ///< by more than nobody would notice
    /// "4 times the bytes, 0.5 times the operations"; only what differs.
    std::string differences() const;
    /// The unit of `amount`: "iteration" or "unit of work".
    std::string unit() const { return perIteration ? "iteration" : "unit of work"; }
};
WorkChange workChange(const ComparedRun& before, const ComparedRun& after);

} // namespace olab::comparison
