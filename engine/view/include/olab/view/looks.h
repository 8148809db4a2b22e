// How an activity is drawn and named: by its class, except that kernels of NCCL or RCCL are communication,
// because they compute nothing. Numbers and verdicts count them as kernels. Any thread.
#pragma once

#include <olab/trace/trace.h>

#include <vector>

namespace olab::view {

/// Only a look; no record has this class.
inline constexpr ActivityClass kCommunication = ActivityClass::Count_;
inline constexpr std::size_t kLooks = kClassCount + 1;

std::string_view lookLabel(ActivityClass look); ///< as classLabel(); "communication"
ClassPattern lookPattern(ActivityClass look);

class Looks {
public:
    /// Keeps a reference to it.
    explicit Looks(const Trace& trace);
    ActivityClass of(ActivityIndex i) const {
        return m_ofKinds.empty() ? m_trace->cls(i) : m_ofKinds[m_trace->kindOf(i)];
    }
    bool hasCommunication() const { return !m_ofKinds.empty(); }

private:
    const Trace* m_trace;
    std::vector<ActivityClass> m_ofKinds; ///< empty: nothing communicates
};

} // namespace olab::view
