#include <olab/view/value_series.h>

#include <olab/view/strip_view.h>

#include <algorithm>
#include <limits>
#include <queue>

namespace olab::view {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr double kTableBytes = 1.68; // per stretch, as for strips
constexpr unsigned kFraction = 52;   // bits of a unit: below one in a copy that takes 52 days

} // namespace

/// From left to right. Sums are kept in 2^-52 of a unit; the remainder of a division is added at the end of
/// its part, so the sum is exact whenever nothing runs.
class ValueSeries::Maker {
public:
    Maker(ValueSeries& series, std::size_t most)
        : m_series(series)
        , m_columns(std::make_shared<TimesColumn>(2 * most)) {
        series.m_before.reserve(2 * most + 1);
    }
    void take(const ValuePart& part) {
        if (part.amount <= 0 || part.amount > kMost || part.time.length() <= 0) {
            ++m_series.m_leftOut;
            return;
        }
        goTo(part.time.begin);
        const Wide amount = static_cast<Wide>(part.amount) << kFraction;
        const auto length = static_cast<Wide>(part.time.length());
        m_running.push({part.time.end, amount / length, amount % length});
        m_rate += amount / length;
        ++m_series.m_count;
    }
    void finish() {
        goTo(std::numeric_limits<Ns>::max());
        m_series.m_before.push_back(units());
        m_columns->finish();
        m_series.m_columns = m_columns;
        m_series.m_times = m_columns->times();
        m_series.m_before.fit();
        m_series.m_table = StripTable(m_series.m_times, {}, kTableBytes);
    }

private:
    struct Running {
        Ns end;
        Wide rate, rest;
        bool operator>(const Running& other) const { return end > other.end; }
    };
    /// Closes stretches until `t`.
    void goTo(Ns t) {
        while (!m_running.empty() && m_running.top().end <= t) {
            const Running ended = m_running.top();
            addStretch(ended.end);
            m_running.pop();
            m_rate -= ended.rate;
            m_sum += ended.rest;
        }
        addStretch(t);
    }
    void addStretch(Ns end) {
        if (end > m_at && !m_running.empty()) {
            m_columns->add({m_at, end});
            m_series.m_before.push_back(units());
            m_series.m_peak = std::max(m_series.m_peak, static_cast<double>(m_rate) /
                                                            static_cast<double>(Wide{1} << kFraction));
            m_sum += m_rate * static_cast<std::uint64_t>(end - m_at);
        }
        m_at = std::max(m_at, end);
    }
    std::int64_t units() const {
        constexpr Wide kMostUnits = std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(std::min(m_sum >> kFraction, kMostUnits));
    }

    ValueSeries& m_series;
    std::shared_ptr<TimesColumn> m_columns;
    std::priority_queue<Running, std::vector<Running>, std::greater<>> m_running; ///< the next to end on top
    Wide m_rate = 0, m_sum = 0;
    Ns m_at = std::numeric_limits<Ns>::min();
};

ValueSeries::ValueSeries(std::span<const ValuePart> parts) {
    Maker maker(*this, parts.size());
    for (const ValuePart& part : parts)
        maker.take(part);
    maker.finish();
}

std::int64_t ValueSeries::before(Ns t) const {
    if (empty())
        return 0;
    const std::size_t next = m_table.position(t); // the stretches before it begin earlier than t
    if (next == 0)
        return 0;
    const Interval time = m_times[next - 1];
    const std::int64_t first = m_before[next - 1], whole = m_before[next] - first;
    if (t >= time.end)
        return first + whole;
    const Wide part = static_cast<Wide>(whole) * static_cast<std::uint64_t>(t - time.begin);
    return first + static_cast<std::int64_t>(part / static_cast<std::uint64_t>(time.length()));
}

std::size_t ValueSeries::memoryBytes() const {
    return m_before.memoryBytes() + m_table.memoryBytes() + (m_columns ? m_columns->memoryBytes() : 0);
}

std::vector<int> valueHeights(const ValueSeries& series, const ViewColumns& columns, int height) {
    std::vector<int> heights(static_cast<std::size_t>(columns.count()), 0);
    if (series.empty() || height <= 0)
        return heights;
    std::int64_t before = series.before(columns.borders.front());
    for (std::size_t px = 0; px < heights.size(); ++px) {
        const Ns length = columns.borders[px + 1] - columns.borders[px];
        const std::int64_t after = series.before(columns.borders[px + 1]), amount = after - before;
        before = after;
        if (amount <= 0 || length <= 0)
            continue;
        const double value = static_cast<double>(amount) / static_cast<double>(length);
        heights[px] = std::clamp(static_cast<int>(value / series.peak() * height + 0.5), 1, height);
    }
    return heights;
}

} // namespace olab::view
