#include <olab/view/links.h>

#include <algorithm>
#include <set>

namespace olab::view {

namespace {

constexpr std::size_t kMostSteps = 4096; // of one walk, past ops without an activity

LinkKind kindOf(experiment::EdgeKind edge) {
    switch (edge) {
    case experiment::EdgeKind::Stream:
        return LinkKind::Stream;
    case experiment::EdgeKind::Event:
        return LinkKind::Event;
    case experiment::EdgeKind::NullStream:
        return LinkKind::NullStream;
    case experiment::EdgeKind::HostSync:
        return LinkKind::HostSync;
    case experiment::EdgeKind::Callback:
        break;
    }
    return LinkKind::Callback;
}

/// The kind of a path over several edges: the one other than stream order.
LinkKind joined(LinkKind a, LinkKind b) {
    return a == LinkKind::Stream ? b : a;
}

std::optional<LinkKind> kindOf(analysis::LossCause cause) {
    switch (cause) {
    case analysis::LossCause::NullStream:
        return LinkKind::NullStream;
    case analysis::LossCause::EventOrder:
    case analysis::LossCause::ExposedCommunication:
        return LinkKind::Event;
    case analysis::LossCause::Callback:
        return LinkKind::Callback;
    default:
        return std::nullopt;
    }
}

/// The activity that represents an op; kNoActivity if it has none.
ActivityIndex standsFor(const analysis::Facts& facts, const experiment::Op& op) {
    const bool isWait = op.kind == experiment::OpKind::HostSync;
    ActivityIndex found = kNoActivity;
    for (const ActivityIndex i : facts.ofOp(op.id)) {
        const ActivityClass cls = facts.trace().cls(i);
        const bool stands =
            isWait ? cls == ActivityClass::Api : isDeviceClass(cls) || cls == ActivityClass::HostFn;
        if (stands && (isWait || found == kNoActivity)) // the last call is the waiting one
            found = i;
    }
    return found;
}

} // namespace

std::string_view linkName(LinkKind kind) {
    switch (kind) {
    case LinkKind::Call:
        return "API call";
    case LinkKind::Stream:
        return "stream order";
    case LinkKind::Event:
        return "event";
    case LinkKind::NullStream:
        return "NULL stream";
    case LinkKind::HostSync:
        return "wait of the host";
    case LinkKind::Callback:
        break;
    }
    return "callback";
}

Links::Links(const analysis::Facts& facts, const RunControl& control)
    : m_facts(&facts) {
    control.throwIfCancelled();
    if (!facts.schedule())
        return;
    m_byAfter = experiment::dependencies(*facts.schedule());
    control.throwIfCancelled();
    m_byBefore = m_byAfter;
    std::ranges::stable_sort(m_byAfter, {}, [](const experiment::Edge& e) { return e.after; });
    std::ranges::stable_sort(m_byBefore, {}, [](const experiment::Edge& e) { return e.before; });
    control.throwIfCancelled();
    m_activityOf.reserve(facts.schedule()->ops.size());
    for (const experiment::Op& op : facts.schedule()->ops)
        m_activityOf.push_back(standsFor(facts, op));
}

bool Links::planned(ActivityIndex activity) const {
    const OpId op = m_facts->trace().opOf(activity);
    return op.value < m_activityOf.size() && m_activityOf[op.value] == activity;
}

/// Two paths may lead to one activity. A host call delays others in one way only.
void Links::addOnce(std::vector<Link>& links, Link link) const {
    const auto isCall = [this](ActivityIndex i) { return m_facts->trace().cls(i) == ActivityClass::Api; };
    if (isCall(link.from) || isCall(link.to))
        link.kind = LinkKind::HostSync;
    if (std::ranges::find(links, link) == links.end())
        links.push_back(link);
}

/// Continues past ops without an activity until it finds some with one.
std::vector<Link> Links::walk(ActivityIndex from, bool back) const {
    const auto& edges = back ? m_byAfter : m_byBefore;
    const auto here = [back](const experiment::Edge& e) { return back ? e.after : e.before; };
    std::vector<std::pair<OpId, LinkKind>> open{{m_facts->trace().opOf(from), LinkKind::Stream}};
    std::set<std::pair<OpId, LinkKind>> seen;
    std::vector<Link> links;
    for (std::size_t i = 0; i < open.size() && i < kMostSteps; ++i) {
        const auto [op, kind] = open[i];
        for (auto edge = std::ranges::lower_bound(edges, op, {}, here);
             edge != edges.end() && here(*edge) == op; ++edge) {
            const OpId other = back ? edge->before : edge->after;
            const LinkKind joint = joined(kind, kindOf(edge->kind));
            if (!seen.insert({other, joint}).second)
                continue;
            const ActivityIndex met = m_activityOf[other.value];
            if (met == kNoActivity)
                open.emplace_back(other, joint);
            else if (links.size() < kMost)
                addOnce(links, back ? Link{met, from, joint} : Link{from, met, joint});
        }
    }
    return links;
}

/// The activity before or after it in its stream.
void Links::addNeighbour(std::vector<Link>& links, ActivityIndex activity, int direction) const {
    const auto stream = m_facts->ofStream(m_facts->trace().queueOf(activity));
    const auto at = std::ranges::lower_bound(stream, activity) - stream.begin() + direction;
    if (at < 0 || at >= std::ssize(stream))
        return;
    const ActivityIndex other = stream[static_cast<std::size_t>(at)];
    links.push_back(direction < 0 ? Link{other, activity, LinkKind::Stream}
                                  : Link{activity, other, LinkKind::Stream});
}

std::size_t Links::memoryBytes() const {
    return (m_byAfter.capacity() + m_byBefore.capacity()) * sizeof(experiment::Edge) +
           m_activityOf.capacity() * sizeof(ActivityIndex);
}

std::vector<Link> Links::before(ActivityIndex activity,
                                const std::optional<analysis::ExplainedWait>& wait) const {
    std::vector<Link> links;
    if (!m_facts || activity >= m_facts->trace().size())
        return links;
    if (planned(activity))
        links = walk(activity, true);
    else if (isDeviceClass(m_facts->trace().cls(activity))) {
        addNeighbour(links, activity, -1);
        const auto kind = wait ? kindOf(wait->cause) : std::nullopt;
        const bool isNeighbour = wait && !links.empty() && links.back().from == wait->blocker;
        if (kind && !isNeighbour && wait->blocker != kNoActivity && wait->blocker != m_facts->apiOf(activity))
            links.push_back({wait->blocker, activity, *kind});
    }
    if (const ActivityIndex call = m_facts->apiOf(activity); call != kNoActivity && call != activity)
        links.push_back({call, activity, LinkKind::Call});
    return links;
}

std::vector<Link> Links::after(ActivityIndex activity) const {
    std::vector<Link> links;
    if (!m_facts || activity >= m_facts->trace().size())
        return links;
    if (planned(activity))
        links = walk(activity, false);
    else if (isDeviceClass(m_facts->trace().cls(activity)))
        addNeighbour(links, activity, +1);
    const auto issued = m_facts->issuedBy(activity); // by a call: it began after the call did
    for (const ActivityIndex work :
         issued.part(0, std::min(issued.size(), kMost - std::min(kMost, links.size()))))
        links.push_back({activity, work, LinkKind::Call});
    return links;
}

} // namespace olab::view
