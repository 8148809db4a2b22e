#include <olab/view/viewport.h>

#include <olab/analysis/steady_state.h>
#include <olab/view/view_data.h>

#include <algorithm>
#include <limits>

namespace olab::view {
namespace {

__extension__ using Wide128 = __int128; // a range of 2^63 ns times a pixel number does not fit 64 bits

constexpr std::int64_t kFactorUnit = 1 << 20;
constexpr std::int64_t kShort = std::int64_t{1} << 45, kNarrow = 1 << 16; // their product, doubled, fits

std::int64_t floorDiv(Wide128 a, Wide128 b) {
    constexpr Wide128 kLeast = std::numeric_limits<std::int64_t>::min(),
                      kMost = std::numeric_limits<std::int64_t>::max();
    const Wide128 q = a / b;
    return static_cast<std::int64_t>(std::clamp(a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q, kLeast, kMost));
}

} // namespace

void Viewport::setLimits(Interval whole) {
    if (whole.end <= whole.begin)
        whole.end = whole.begin + 1000;
    const bool wasFit = isFit();
    m_limits = whole;
    if (wasFit)
        fit();
    else
        show(m_visible);
}

void Viewport::setWidth(int px) {
    m_width = std::max(px, 1);
    show(m_visible);
}

void Viewport::show(Interval range) {
    place(range.begin, range.length());
}

void Viewport::fit() {
    m_visible = m_limits;
}

void Viewport::place(Ns begin, Ns length) {
    // Below a nanosecond per column there is nothing to see, and columns would be empty ranges.
    const Ns shortest = std::min<Ns>(m_width, m_limits.length());
    length = std::clamp(length, shortest, m_limits.length());
    begin = std::clamp(begin, m_limits.begin, m_limits.end - length);
    m_visible = {begin, begin + length};
}

Ns Viewport::timeAt(std::int64_t px) const {
    return m_visible.begin + floorDiv(Wide128{m_visible.length()} * px, m_width);
}

std::int64_t Viewport::xAt(Ns t) const {
    // Largest px with floor(length * px / width) <= d, that is px < (d + 1) * width / length.
    const Wide128 d = Wide128{t} - m_visible.begin;
    return -floorDiv(-(d + 1) * m_width, m_visible.length()) - 1;
}

std::vector<Ns> Viewport::borders() const {
    const Ns whole = m_visible.length() / m_width, rest = m_visible.length() % m_width;
    std::vector<Ns> borders(static_cast<std::size_t>(m_width) + 1);
    Ns at = m_visible.begin, remainder = 0;
    for (Ns& border : borders) {
        border = at;
        if (&border == &borders.back()) // the next one might overflow
            break;
        remainder += rest;
        const bool carries = remainder >= m_width;
        at += whole + (carries ? 1 : 0);
        remainder -= carries ? m_width : 0;
    }
    return borders;
}

std::int64_t Viewport::edgeAt(Ns t) const {
    // Nearly all drawn times are in a view shorter than days: a 64-bit division is several times faster.
    const std::int64_t length = m_visible.length();
    if (t >= m_visible.begin && t <= m_visible.end && length < kShort && m_width < kNarrow)
        return (2 * (t - m_visible.begin) * m_width + length) / (2 * length);
    const Wide128 d = Wide128{t} - m_visible.begin;
    return floorDiv(2 * d * m_width + m_visible.length(), Wide128{2} * m_visible.length());
}

Ns Viewport::lengthOf(std::int64_t px) const {
    return -floorDiv(-Wide128{m_visible.length()} * px, m_width);
}

void Viewport::zoomAt(std::int64_t px, double factor) {
    const auto scaled = static_cast<std::int64_t>(std::clamp(factor, 1e-4, 1e4) * kFactorUnit);
    const Ns anchor = timeAt(px);
    const Ns shortest = std::min<Ns>(m_width, m_limits.length());
    const Ns length =
        std::clamp(floorDiv(Wide128{m_visible.length()} * scaled, kFactorUnit), shortest, m_limits.length());
    place(anchor - floorDiv(Wide128{length} * px, m_width), length);
}

void Viewport::panBy(std::int64_t px) {
    const Ns shift = floorDiv(Wide128{m_visible.length()} * (px < 0 ? -px : px), m_width);
    place(m_visible.begin + (px < 0 ? -shift : shift), m_visible.length());
}

namespace {

constexpr Ns kMargin = 40;    // of the time that is shown
constexpr Ns kSmallPart = 4;  // of the recording: less work than this is hard to see in it
constexpr Ns kHostMargin = 8; // of the work: the calls that issued it begin before it

const analysis::JudgedPart* judgedPart(const AccountPtr& account) {
    return account && account->ledger().missing.empty() ? account->ledger().part.get() : nullptr;
}

/// The position of the typical iteration, else the middle.
Ns centreOf(const ViewData& shown, Interval part) {
    const auto found = shown.steadyState();
    const bool isKnown = found && found->typical < found->iterations.size();
    const Interval at = isKnown ? found->iterations[found->typical] : part;
    return at.begin + at.length() / 2;
}

/// `length` of the part around `centre`.
Interval stretchOf(Interval part, Ns length, Ns centre) {
    const Ns begin = std::clamp(centre - length / 2, part.begin, part.end - length);
    return {begin, begin + length};
}

/// All device work, if loading and program end take most of the recording.
std::optional<Interval> deviceWork(const ViewData& shown) {
    const Interval work = shown.trace().deviceSpan();
    if (work.length() <= 0 || work.length() >= shown.limits().length() / kSmallPart)
        return std::nullopt;
    const Ns air = work.length() / kHostMargin;
    return Interval{work.begin - air, work.end + air};
}

} // namespace

std::optional<Interval> openingView(const ViewData& shown) {
    const AccountPtr account = shown.account();
    const analysis::JudgedPart* part = judgedPart(account);
    if (!part || part->iterations == 0 || part->time.length() <= 0)
        return deviceWork(shown);
    const std::uint64_t count = std::min(part->iterations, kMostOpened);
    const Ns length = count == part->iterations
                          ? part->time.length()
                          : part->time.length() / static_cast<Ns>(part->iterations) * static_cast<Ns>(count);
    const Interval time = stretchOf(part->time, length, centreOf(shown, part->time));
    const Ns air = length / kMargin;
    return Interval{time.begin - air, time.end + air};
}

} // namespace olab::view
