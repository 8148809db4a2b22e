// Launches that took long because the code of their kernel was loaded, where no record says so.
#pragma once

#include "graph_sketch.h"

namespace olab::replay {

/// In a program of which only calls and work are known: the calls that launched a kernel for the first time
/// and took many times as long as launches here do.
class FirstLaunches {
public:
    explicit FirstLaunches(const Sketch& sketch);
    bool has(ActivityIndex call) const { return std::ranges::binary_search(m_calls, call); }
    Ns usual() const { return m_usual; } ///< what a launch takes: the median

private:
    std::vector<ActivityIndex> m_calls; ///< sorted
    Ns m_usual = 0;
};

} // namespace olab::replay
