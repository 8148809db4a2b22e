// Defects that do not harm a run.
#pragma once

#include <olab/trace/defect.h>

#include <vector>

namespace olab::analysis {

inline void leaveOutNotices(std::vector<Defect>& defects) {
    std::erase_if(defects, [](const Defect& d) { return d.severity() == Severity::Notice; });
}

} // namespace olab::analysis
