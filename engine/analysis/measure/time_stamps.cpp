#include "measure/time_stamps.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace olab::analysis {
namespace {

constexpr Ns kCoarsestStep = 1000, kFinestStep = 8; // below that a tolerance of 1 ns fits nearly all
constexpr Ns kDeviceStep = 32;                      // of NVIDIA devices: less evidence does
constexpr Ns kClose = 20'000;                       // over so little the scale of the clock moves no stamp
constexpr std::size_t kLooked = 65'536, kSamples = 4096;
// By chance, a difference fits a step of 32 ns in one of eleven cases, and a multiple of the true step in one
// of two.
constexpr std::size_t kEnoughForDevice = 4, kEnoughForAny = 16;
constexpr std::size_t kOutliers = 50; // one in so many may not fit

/// How far `difference` is from a multiple of `step`.
Ns distanceTo(Ns difference, Ns step) {
    const Ns over = difference % step;
    return std::min(over, step - over);
}

/// Differences between stamps of one clock that lie close together.
class CloseStamps {
public:
    bool full() const { return m_differences.size() >= kSamples; }
    void add(Ns difference) {
        if (difference > 1 && difference < kClose && !full())
            m_differences.push_back(difference);
    }
    /// 1: undetermined.
    Ns step() {
        std::ranges::sort(m_differences);
        const std::size_t different = countDifferent();
        if (different >= kEnoughForAny) {
            for (Ns step = kCoarsestStep; step >= kFinestStep; --step)
                if (fits(step))
                    return step;
            return 1;
        }
        return different >= kEnoughForDevice && fits(kDeviceStep) ? kDeviceStep : 1;
    }

private:
    /// Equal lengths may read 1 ns more or less.
    std::size_t countDifferent() const {
        std::size_t count = 0;
        Ns last = 0;
        for (const Ns difference : m_differences)
            if (difference > last + 2) {
                last = difference;
                ++count;
            }
        return count;
    }
    bool fits(Ns step) const {
        std::size_t left = m_differences.size() / kOutliers;
        for (const Ns difference : m_differences)
            if (distanceTo(difference, step) > 1 && left-- == 0)
                return false;
        return true;
    }
    std::vector<Ns> m_differences;
};

class Stamps {
public:
    explicit Stamps(const Facts& facts)
        : m_trace(facts.trace())
        , m_first(m_trace.deviceSpan().begin)
        , m_last(facts.perDevice().size()) {}
    void add(ActivityIndex row) {
        const Interval time = m_trace.time(row);
        for (const Ns since : {time.begin - m_first, time.length()})
            if (m_common == 0 || since % m_common != 0)
                m_common = std::gcd(m_common, since);
        std::optional<Interval>& last = m_last[m_trace.device(row)];
        m_close.add(time.length());
        if (last) {
            m_close.add(time.begin - last->begin);
            m_close.add(time.begin - last->end);
        }
        last = time;
    }
    bool decided() const { return m_common == 1 && m_close.full(); }
    bool hasCommonStep() const { return m_common != 1; }
    Ns commonStep() const { return std::clamp<Ns>(m_common, 1, kCoarsestStep); }
    Ns closeStep() { return m_close.step(); }

private:
    const Trace& m_trace;
    Ns m_first, m_common = 0;
    std::vector<std::optional<Interval>> m_last; ///< per device: each has a clock of its own
    CloseStamps m_close;
};

} // namespace

Ns timeStampResolution(const Facts& facts) {
    Stamps stamps(facts);
    const DeviceWork& device = facts.deviceWork();
    for (std::size_t n = 0; n < device.size() && !stamps.decided(); ++n) {
        if (n >= kLooked && !stamps.hasCommonStep())
            break;
        stamps.add(device.row(n));
    }
    return stamps.hasCommonStep() ? stamps.commonStep() : stamps.closeStep();
}

} // namespace olab::analysis
