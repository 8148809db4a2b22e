// Issues the units of one thread in the order that the schedule allows: in sequence, or as their callbacks
// report.
#pragma once

#include "issue.h"

#include <functional>
#include <unordered_map>

namespace olab::cuda {

class UnitRunner {
public:
    /// `beforeWaiting` is called once: when only host waits are left to issue, or at the first of them.
    /// `between` is called occasionally while it works.
    UnitRunner(const RunParts& parts, std::int32_t thread, std::stop_token stop,
               std::function<void()> beforeWaiting, std::function<void()> between = {});
    /// @throws Error, also when stopped (Cancelled)
    void run();

private:
    void issue(const experiment::IssueUnit& unit);
    std::size_t react(std::size_t first);
    OpId nextReport();
    void throwIfStopped() const;
    void throwIfDeviceFailed() const;
    void noteWaiting();

    const RunParts m_parts;
    std::int32_t m_thread;
    std::stop_token m_stop;
    std::function<void()> m_beforeWaiting, m_between;
    Issuer m_issuer;
    std::vector<const experiment::IssueUnit*> m_units;                              ///< of this thread
    std::unordered_map<std::uint32_t, const experiment::IssueUnit*> m_unitAwaiting; ///< by the op it awaits
    bool m_waiting = false;
};

} // namespace olab::cuda
