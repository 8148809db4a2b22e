#include <olab/trace/lanes.h>
#include <olab/view/account.h>

#include <algorithm>

namespace olab::view {

Account::Account(const analysis::Facts& facts, const LaneSet& lanes,
                 std::shared_ptr<const analysis::Ledger> ledger, const RunControl& control)
    : m_facts(facts)
    , m_ledger(std::move(ledger))
    , m_waits(facts, m_ledger) {
    if (m_ledger->idealTimes.size() != facts.deviceWork().size())
        return; // there is no account
    m_ideal.resize(lanes.lanes().size());
    const Looks looks(facts.trace());
    for (const Lane& lane : lanes.lanes()) {
        control.throwIfCancelled();
        if (lane.kind == LaneKind::Engine || lane.kind == LaneKind::Stream)
            addIdeal(lane, looks);
    }
}

/// Crossing work in a lane is shown as one stretch: a later one only contributes the part beyond the earlier.
void Account::addIdeal(const Lane& lane, const Looks& looks) {
    std::vector<IdealWork> all;
    for (const ActivityIndex row : lane.activities)
        if (isDeviceClass(m_facts.trace().cls(row)))
            all.push_back({m_ledger->idealTimes[m_facts.deviceWork().numberOf(row)], looks.of(row)});
    std::ranges::stable_sort(all, {}, [](const IdealWork& work) { return work.time.begin; });
    std::vector<IdealWork>& shown = m_ideal[lane.id.value];
    Ns last = std::numeric_limits<Ns>::min();
    for (IdealWork& work : all) {
        work.time.begin = std::max(work.time.begin, last);
        if (work.time.end > work.time.begin)
            shown.push_back(work);
        last = std::max(last, work.time.end);
    }
}

namespace {

/// The first item from `from` on that ends after `t`: usually close.
auto firstEndAfter(std::span<const IdealWork> all, std::span<const IdealWork>::iterator from, Ns t) {
    const auto endsBefore = [t](const IdealWork& work) { return work.time.end <= t; };
    std::ptrdiff_t step = 1;
    while (all.end() - from > step && endsBefore(from[step])) {
        from += step;
        step *= 2;
    }
    return std::partition_point(from, from + std::min(step + 1, all.end() - from), endsBefore);
}

} // namespace

std::optional<analysis::ExplainedWait> Account::waitOf(ActivityIndex op) const {
    const auto wait = m_waits.of(op);
    return wait && wait->isOwned && wait->isHeld() ? wait : std::nullopt;
}

/// A wait is invisible where the strip is busy.
std::optional<WaitInStrip> Account::waitIn(const Strip& strip, std::size_t place) const {
    const auto wait = waitOf(strip.activities[place]);
    if (!wait)
        return std::nullopt;
    Interval drawn = wait->time;
    if (place > 0)
        drawn.begin = std::max(drawn.begin, strip.times.end(place - 1));
    return drawn.length() > 0 ? std::optional(WaitInStrip{*wait, drawn}) : std::nullopt;
}

std::vector<DrawnWait> Account::waitsIn(const Strip& strip, const StripView& shown,
                                        const ViewColumns& columns) const {
    std::vector<DrawnWait> drawn;
    const std::size_t count = strip.times.size();
    const auto isEmpty = [&](int px) { return !shown.hasTick(px) && !shown.coveredByBar(px); };
    const auto edge = [&](Ns t) {
        return static_cast<int>(std::clamp<std::int64_t>(columns.view.edgeAt(t), 0, columns.count()));
    };
    const auto isWide = [&](std::size_t i) { // a wait is at most the empty stretch before
        return i == 0 || edge(strip.times.begin(i)) - edge(strip.times.end(i - 1)) >= kLeastColumns;
    };
    for (int x = 0; x < columns.count(); ++x) {
        if (!isEmpty(x) || (x + 1 < columns.count() && isEmpty(x + 1)))
            continue; // until the last column of an empty stretch: the next activity may have waited during
                      // it
        const std::size_t next = strip.table.position(columns.borders[static_cast<std::size_t>(x)]);
        if (next == count)
            break;
        if (const auto wait = isWide(next) ? waitIn(strip, next) : std::nullopt) {
            const int x0 = edge(wait->drawn.begin), x1 = edge(wait->drawn.end);
            if (x1 - x0 >= kLeastColumns)
                drawn.push_back({wait->wait, x0, x1});
        }
    }
    return drawn;
}

std::optional<WaitInStrip> Account::waitAt(const Strip& strip, Ns t) const {
    const std::size_t next = strip.times.firstFrom(t + 1, 0, strip.times.size());
    if (next >= strip.times.size())
        return std::nullopt;
    const auto wait = waitIn(strip, next);
    return wait && wait->drawn.begin <= t ? wait : std::nullopt;
}

std::span<const IdealWork> Account::ideal(LaneId lane) const {
    return lane.value < m_ideal.size() ? std::span<const IdealWork>(m_ideal[lane.value])
                                       : std::span<const IdealWork>();
}

std::vector<DrawnIdeal> Account::idealIn(LaneId lane, const ViewColumns& columns) const {
    std::vector<DrawnIdeal> drawn;
    const auto all = ideal(lane);
    const Interval seen = columns.view.visible();
    for (auto at = firstEndAfter(all, all.begin(), seen.begin);
         at != all.end() && at->time.begin < seen.end;) {
        const int last = drawn.empty() ? 0 : drawn.back().x1;
        const auto x0 = std::max<std::int64_t>(columns.view.edgeAt(at->time.begin), last);
        const auto x1 =
            std::min<std::int64_t>(std::max(columns.view.edgeAt(at->time.end), x0 + 1), columns.count());
        const bool joins = x1 == x0 + 1 && !drawn.empty() && last == x0 && drawn.back().look == at->look &&
                           drawn.back().isDense;
        if (joins)
            drawn.back().x1 = static_cast<int>(x1);
        else if (x0 < x1)
            drawn.push_back({at->look, static_cast<int>(x0), static_cast<int>(x1), x1 == x0 + 1});
        at = firstEndAfter(all, at + 1, std::max(columns.view.timeAt(std::max(x0, x1)), at->time.end));
    }
    return drawn;
}

double Account::missed() const {
    return m_ledger->measured > 0
               ? static_cast<double>(m_ledger->missed()) / static_cast<double>(m_ledger->measured)
               : 0;
}

std::size_t Account::memoryBytes() const {
    std::size_t bytes = sizeof(*this) + m_ledger->waits.size() * sizeof(analysis::OwnedWait) +
                        m_ledger->idealTimes.size() * sizeof(Interval);
    for (const auto& lane : m_ideal)
        bytes += lane.capacity() * sizeof(IdealWork);
    return bytes;
}

} // namespace olab::view
