#include "measure/medians.h"

#include "facts/looks.h"

namespace olab::analysis {
namespace {

constexpr unsigned kStepBits = 5; // buckets per doubling of the length: 32
constexpr std::size_t kBuckets = std::size_t{64 - kStepBits} << kStepBits;

/// Increases with the length; lengths in one bucket differ by at most 3 %.
std::size_t bucketOf(Ns length) {
    const auto value = static_cast<std::uint64_t>(length);
    if (value < (std::uint64_t{1} << kStepBits))
        return static_cast<std::size_t>(value);
    const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1 - kStepBits;
    return (std::size_t{octave} << kStepBits) + static_cast<std::size_t>(value >> octave);
}

/// The durations of one class on one device.
class Durations {
public:
    void count(Ns length) {
        if (m_counts.empty())
            m_counts.resize(kBuckets);
        ++m_counts[bucketOf(length)];
        ++m_count;
    }
    /// Finds the bucket of the lower median, and its position in it.
    void choose() {
        if (m_count == 0)
            return;
        m_rank = (m_count - 1) / 2;
        for (m_bucket = 0; m_counts[m_bucket] <= m_rank; ++m_bucket)
            m_rank -= m_counts[m_bucket];
        m_lengths.reserve(m_counts[m_bucket]);
    }
    void gather(Ns length) {
        if (bucketOf(length) == m_bucket)
            m_lengths.push_back(length);
    }
    Ns median() {
        if (m_lengths.empty())
            return 0;
        const auto at = m_lengths.begin() + static_cast<std::ptrdiff_t>(m_rank);
        std::nth_element(m_lengths.begin(), at, m_lengths.end());
        return *at;
    }

private:
    std::vector<std::uint32_t> m_counts;
    std::vector<Ns> m_lengths;
    std::size_t m_count = 0, m_rank = 0, m_bucket = 0;
};

} // namespace

std::vector<std::array<Ns, kDeviceClassCount>> medianDurations(const Facts& facts,
                                                               const RunControl& control) {
    const Trace& trace = facts.trace();
    std::vector<std::array<Durations, kDeviceClassCount>> durations(trace.devices().size());
    const auto each = [&](auto take) {
        for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
            lookAtCancel(n, control);
            const ActivityIndex i = facts.deviceWork().row(n);
            take(durations[trace.device(i)][static_cast<std::size_t>(trace.cls(i))], trace.duration(i));
        }
    };
    each([](Durations& d, Ns length) { d.count(length); });
    for (auto& ofDevice : durations)
        for (Durations& d : ofDevice)
            d.choose();
    each([](Durations& d, Ns length) { d.gather(length); });
    std::vector<std::array<Ns, kDeviceClassCount>> medians(durations.size());
    for (std::size_t device = 0; device < medians.size(); ++device)
        for (std::size_t c = 0; c < kDeviceClassCount; ++c)
            medians[device][c] = durations[device][c].median();
    return medians;
}

} // namespace olab::analysis
