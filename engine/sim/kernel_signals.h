// Devices before Hyper-Q try to run kernels that were issued back to back in different streams at the same
// time, and signal the end of each only when all of them have ended: work that waits for the first waits for
// the last.
#pragma once

#include "program.h"

namespace olab::sim {

class KernelSignals {
public:
    explicit KernelSignals(const Context& context);
    bool inUse() const { return !m_rowOf.empty(); }
    /// `op` has ended. @returns the ops whose end is now signalled: only this one, none, or its whole row
    std::vector<std::uint32_t> ended(std::uint32_t op);

private:
    struct Row {
        std::uint32_t first = 0, count = 0, left = 0;
    };
    std::vector<Row> m_rows;
    std::vector<std::uint32_t> m_rowOf; ///< per op; empty if the device has no such rows
};

} // namespace olab::sim
