#include "measure/ideal_run.h"

#include "facts/op_row.h"
#include "facts/sums.h"

#include <map>
#include <queue>

namespace olab::analysis {
namespace {

using Pipeline = std::vector<std::uint32_t>; ///< numbers of device work in the order of issue

/// Without a schedule: the streams of the trace, by number. With one: unplanned work with its streams as
/// pipelines, then the planned pipelines.
std::vector<Pipeline> pipelinesOf(const Facts& facts) {
    const Trace& trace = facts.trace();
    std::vector<Pipeline> ofStream(trace.queues().size());
    std::map<int, Pipeline> planned;
    for (std::uint32_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n);
        const experiment::Op* op = facts.opOf(row);
        (op ? planned[op->pipeline] : ofStream[trace.queueOf(row).value]).push_back(n);
    }
    std::vector<Pipeline> pipelines;
    for (Pipeline& pipeline : ofStream)
        if (!pipeline.empty())
            pipelines.push_back(std::move(pipeline));
    const auto opOf = [&](std::uint32_t n) { return trace.opOf(facts.deviceWork().row(n)); };
    for (auto& [number, pipeline] : planned) {
        std::ranges::stable_sort(pipeline, {}, opOf);
        pipelines.push_back(std::move(pipeline));
    }
    return pipelines;
}

/// The SMs of a device: grids enter in the order of becoming ready, while there is room.
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

/// Assigns a time to every op.
class Player {
public:
    explicit Player(const Facts& facts)
        : m_facts(facts)
        , m_grids(facts.perDevice().size())
        , m_free(facts.perDevice().size()) {}

    Interval play(const OpRow& op, Ns ready) {
        const Ns length = op.work->solo;
        const bool copies = op.engine != EngineKind::Compute && op.engine != EngineKind::None;
        Ns begin = ready;
        if (op.cls == ActivityClass::Kernel) // a kernel of unknown size holds up no other
            begin = m_grids[op.device].enter(ready, length, op.work->shareOfDevice().value_or(0));
        else if (copies)
            begin = std::max(ready, freeOf(op));
        Ns end = begin;
        addCapped(end, length);
        if (copies)
            freeOf(op) = end;
        return {begin, end};
    }

private:
    Ns& freeOf(const OpRow& op) {
        const bool one = m_facts.trace().devices()[op.device].copyEngines == 1;
        return m_free[op.device][static_cast<std::size_t>(one ? EngineKind::CopyH2D : op.engine)];
    }

    const Facts& m_facts;
    std::vector<Grids> m_grids;
    std::vector<std::array<Ns, kEngineCount>> m_free;
};

/// Plays all pipelines, earliest ready op first; calls `done` with each op and its time.
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
        const OpRow op = OpRow::of(facts, pipelines[p][at[p]++]);
        const Interval time = player.play(op, when);
        done(op, time);
        if (at[p] < pipelines[p].size())
            ready.push({time.end, p});
    }
}

} // namespace

void IdealRun::play() {
    const Facts& facts = m_facts;
    m_devices.resize(facts.perDevice().size());
    const std::vector<Pipeline> pipelines = pipelinesOf(facts);
    std::vector<const Pipeline*> lastOn(m_devices.size()); // the last one with an entry in Device::pipelines
    for (const Pipeline& pipeline : pipelines)
        for (const std::uint32_t n : pipeline) {
            const ActivityIndex row = facts.deviceWork().row(n);
            const std::uint8_t device = facts.trace().device(row);
            std::vector<ClassMask>& done = m_devices[device].pipelines;
            if (std::exchange(lastOn[device], &pipeline) != &pipeline)
                done.push_back(0);
            done.back() |= maskOf(facts.trace().cls(row));
        }
    std::vector<std::array<std::vector<Interval>, kDeviceClassCount>> times(m_devices.size());
    playAll(facts, pipelines, [&](const OpRow& op, Interval time) {
        times[op.device][static_cast<std::size_t>(op.cls)].push_back(time);
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

} // namespace olab::analysis
