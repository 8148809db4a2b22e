// What an activity had to wait for and what had to wait for it: its API call, and the planned dependencies
// (stream order, events, the NULL stream, waits of the host, callbacks). Steps of the plan without an
// activity, such as event records, are passed through. Without a plan: the stream's order, and what it waited
// for. Immutable; any thread.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/trace/run_control.h>

#include <span>

namespace olab::view {

enum class LinkKind : std::uint8_t { Call, Stream, Event, NullStream, HostSync, Callback };
std::string_view linkName(LinkKind kind); ///< "API call", "stream order", ...: for people

struct Link {
    ActivityIndex from = kNoActivity, to = kNoActivity;
    LinkKind kind{};
    friend bool operator==(const Link&, const Link&) = default;
};

class Links {
public:
    static constexpr std::size_t kMost = 64; ///< in each direction: a host wait may have thousands

    Links() = default;
    /// Keeps a reference to the facts. @throws Error when cancelled
    explicit Links(const analysis::Facts& facts, const RunControl& control = {});
    /// Links to it; `wait`: its own wait, as shown.
    std::vector<Link> before(ActivityIndex activity,
                             const std::optional<analysis::ExplainedWait>& wait) const;
    std::vector<Link> after(ActivityIndex activity) const; ///< links from it
    std::size_t memoryBytes() const;

private:
    bool planned(ActivityIndex activity) const;
    std::vector<Link> walk(ActivityIndex from, bool back) const;
    void addOnce(std::vector<Link>& links, Link link) const;
    void addNeighbour(std::vector<Link>& links, ActivityIndex activity, int direction) const;
    const analysis::Facts* m_facts = nullptr;
    std::vector<experiment::Edge> m_byAfter, m_byBefore;
    std::vector<ActivityIndex> m_activityOf; ///< by op; kNoActivity: no activity
};

} // namespace olab::view
