// RowSums of many rows, in stretches that are summed side by side and joined exactly.
#pragma once

#include "measure/row_sums.h"

namespace olab::analysis {

class StretchSums {
public:
    /// @param stretches 1 or more, all of about the same size
    StretchSums(const Facts& facts, std::size_t stretches);
    std::size_t size() const { return m_parts.size(); }
    /// Each once, on any thread. @throws Error only when cancelled
    void sum(std::size_t stretch, const RunControl& control);
    /// Once all are summed. What is still at work where a stretch ends is looked for in the next: where that
    /// never ends (a kernel as long as the run) this reads every row once more.
    RowSums join();

private:
    struct Part {
        Stretch work;
        RowSums sums;
    };
    const Facts& m_facts;
    std::vector<Part> m_parts;
};

} // namespace olab::analysis
