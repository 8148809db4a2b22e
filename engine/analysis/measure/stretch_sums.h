// RowSums of many rows, computed in parallel stretches and joined exactly.
#pragma once

#include "measure/row_sums.h"

namespace olab::analysis {

class StretchSums {
public:
    /// 1 or more, of similar size
    StretchSums(const Facts& facts, std::size_t stretches);
    std::size_t size() const { return m_parts.size(); }
    /// Once per stretch, on any thread. @throws Error only when cancelled
    void sum(std::size_t stretch, const RunControl& control);
    /// Call when all stretches are summed. Work that runs past the end of a stretch is followed into the
    /// next: a kernel as long as the run makes this read every row once more.
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
