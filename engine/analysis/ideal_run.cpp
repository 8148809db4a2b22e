#include "ideal_run.h"

#include "solo_times.h"
#include "sums.h"

#include <algorithm>
#include <queue>

namespace olab {
namespace {

using Pipeline = std::vector<ActivityIndex>; ///< in the order of issue

const Op* opOf(const Facts& facts, const Activity& a) {
    return facts.schedule && a.op.value < facts.schedule->ops.size() ? &facts.schedule->ops[a.op.value]
                                                                     : nullptr;
}

std::vector<Pipeline> pipelinesOf(const Facts& facts) {
    std::map<std::pair<bool, std::int64_t>, Pipeline> found; // planned, number
    for (const Wait& w : facts.waits) {
        const Activity a = facts.trace[w.activity];
        const Op* op = opOf(facts, a);
        found[op ? std::pair{true, std::int64_t{op->pipeline}}
                 : std::pair{false, std::int64_t{a.queue.value}}]
            .push_back(w.activity);
    }
    std::vector<Pipeline> pipelines;
    for (auto& [key, activities] : found) {
        if (key.first)
            std::ranges::stable_sort(activities, {},
                                     [&](ActivityIndex i) { return facts.trace[i].op.value; });
        pipelines.push_back(std::move(activities));
    }
    return pipelines;
}

/// The SMs of a device: grids enter in the order in which they are ready, as far as there is room.
class Grids {
public:
    Ns enter(Ns ready, Ns length, double share) {
        m_entered = std::max(m_entered, ready);
        for (; !m_ends.empty() && (m_ends.top().first <= m_entered || m_taken + share > kWhole);
             m_ends.pop()) {
            m_entered = std::max(m_entered, m_ends.top().first);
            m_taken -= m_ends.top().second;
        }
        Ns end = m_entered;
        addCapped(end, length);
        m_ends.push({end, share});
        m_taken += share;
        return m_entered;
    }

private:
    static constexpr double kWhole = 1 + 1e-9; // sums of shares are not exact
    using End = std::pair<Ns, double>;
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
    double m_taken = 0;
    Ns m_entered = 0;
};

/// Gives every op its place in time.
class Player {
public:
    explicit Player(const Facts& facts)
        : m_facts(facts)
        , m_grids(facts.perDevice.size())
        , m_free(facts.perDevice.size()) {}

    Interval play(ActivityIndex i, Ns ready) {
        const Activity a = m_facts.trace[i];
        const Ns length = m_facts.solo[i];
        Ns begin = ready;
        if (a.cls == ActivityClass::Kernel)
            begin = m_grids[a.device].enter(ready, length, shareOf(i));
        else if (a.engine != EngineKind::Compute && a.engine != EngineKind::None)
            begin = std::max(ready, freeOf(a));
        Ns end = begin;
        addCapped(end, length);
        if (a.engine != EngineKind::Compute && a.engine != EngineKind::None)
            freeOf(a) = end;
        return {begin, end};
    }

private:
    Ns& freeOf(const Activity& a) {
        const bool one = m_facts.trace.devices()[a.device].copyEngines == 1;
        return m_free[a.device][static_cast<std::size_t>(one ? EngineKind::CopyH2D : a.engine)];
    }
    // A grid of which nothing is known holds no other one up.
    double shareOf(ActivityIndex kernel) const {
        const std::uint64_t atOnce = m_facts.residentBlocks[kernel], blocks = blocksOf(m_facts, kernel);
        return atOnce == 0 ? 0 : std::min(1.0, static_cast<double>(blocks) / static_cast<double>(atOnce));
    }

    const Facts& m_facts;
    std::vector<Grids> m_grids;
    std::vector<std::array<Ns, kEngineCount>> m_free;
};

/// Plays all pipelines, whichever is ready first; `done` takes each op and its time.
template <typename Done>
void playAll(const Facts& facts, const std::vector<Pipeline>& pipelines, Done done) {
    using Next = std::pair<Ns, std::size_t>; // ready, pipeline
    std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
    std::vector<std::size_t> at(pipelines.size(), 0);
    for (std::size_t p = 0; p < pipelines.size(); ++p)
        ready.push({0, p});
    Player player(facts);
    while (!ready.empty()) {
        const auto [when, p] = ready.top();
        ready.pop();
        const ActivityIndex i = pipelines[p][at[p]++];
        const Interval time = player.play(i, when);
        done(i, time);
        if (at[p] < pipelines[p].size())
            ready.push({time.end, p});
    }
}

} // namespace

void IdealRun::play() {
    const Facts& facts = m_facts;
    m_devices.resize(facts.perDevice.size());
    const std::vector<Pipeline> pipelines = pipelinesOf(facts);
    for (Device& device : m_devices)
        device.pipelines.resize(pipelines.size());
    for (std::size_t p = 0; p < pipelines.size(); ++p)
        for (const ActivityIndex i : pipelines[p])
            m_devices[facts.trace[i].device].pipelines[p] |= maskOf(facts.trace.cls(i));
    std::vector<std::array<std::vector<Interval>, kDeviceClassCount>> times(m_devices.size());
    playAll(facts, pipelines, [&](ActivityIndex i, Interval time) {
        times[facts.trace[i].device][static_cast<std::size_t>(facts.trace.cls(i))].push_back(time);
        m_length = std::max(m_length, time.end);
    });
    for (std::size_t d = 0; d < m_devices.size(); ++d)
        for (std::size_t c = 0; c < kDeviceClassCount; ++c)
            m_devices[d].coverage[c] = IntervalSet::unionOf(std::move(times[d][c]));
}

Ns IdealRun::length() {
    if (m_devices.empty())
        play();
    return m_length;
}

std::optional<double> IdealRun::overlap(std::uint8_t device, ActivityClass a, ActivityClass b) {
    if (m_devices.empty())
        play();
    const Device& d = m_devices[device];
    const ClassMask both = maskOf(a) | maskOf(b);
    if (std::ranges::count_if(d.pipelines, [both](ClassMask does) { return (does & both) == both; }) < 2)
        return {};
    const IntervalSet &ofA = d.coverage[static_cast<std::size_t>(a)],
                      &ofB = d.coverage[static_cast<std::size_t>(b)];
    const Ns attainable = std::min(ofA.total(), ofB.total());
    if (attainable <= 0)
        return {};
    return static_cast<double>(ofA.intersected(ofB).total()) / static_cast<double>(attainable);
}

} // namespace olab
