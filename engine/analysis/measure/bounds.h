// The best the hardware could do: the formulas of NVIDIA's simpleMultiCopy sample over solo durations, and
// the longest chain.
#pragma once

#include "facts/op_row.h"

namespace olab::analysis {

/// Sums of solo durations on one device.
struct Load {
    Ns serial = 0, compute = 0;
    std::array<Ns, kEngineCount> engines{}; ///< copy engines
    Ns copies() const;
    void add(const Load& part);
};

/// Adds up a stretch of device work.
class LoadAdder {
public:
    explicit LoadAdder(const Facts& facts); ///< needs Facts::devices()
    void add(const OpRow& op) { add(op, op.work->solo); }
    void add(const OpRow& op, Ns length);                      ///< adds the solo time
    const std::vector<Load>& loads() const { return m_loads; } ///< per device

private:
    std::vector<Load> m_loads;
    std::vector<double> m_sharing; ///< per device
};

/// The longest chain of solo durations: each stream in its order, and events between streams. The barriers of
/// the NULL stream are not part of it: they are a cause that another kind of stream removes, so the bound
/// must not take them for granted. Waits of the host and host functions are left out too, so this is a lower
/// bound. @throws Error only when cancelled
Ns criticalPath(const Facts& facts, const RunControl& control);

/// TraceFacts::runSpan(). Needs the calls.
Interval runSpanOf(const TraceFacts& facts);

/// Estimates from solo durations. `efficiency` is set even above kMaxEfficiency: refuseExceeded() judges
/// that.
Bounds boundsOf(const Facts& facts, const std::vector<Load>& loads, Ns criticalPath);

/// A run that beat the bound by more than 2 % of the possible gain: the solo durations do not fit this run.
inline constexpr double kMaxEfficiency = 1.02;
/// serial / engine bound below this: overlap saves almost nothing; serial / ideal below this: no efficiency
/// is given.
inline constexpr double kNothingToOverlap = 1.05;

/// Removes an efficiency above kMaxEfficiency and reports that as a defect.
void refuseExceeded(Bounds& bounds, std::vector<Defect>& defects);

} // namespace olab::analysis
