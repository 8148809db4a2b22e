#include <olab/ui/viewport.h>

#include <algorithm>

namespace olab {

namespace {

__extension__ using Wide = __int128; // a range of 2^63 ns times a pixel number does not fit 64 bits

constexpr std::int64_t kFactorUnit = 1 << 20;

std::int64_t floorDiv(Wide a, Wide b) {
    const Wide q = a / b;
    return static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q);
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
    // Below a nanosecond a column there is nothing to see, and columns would be empty ranges.
    const Ns shortest = std::min<Ns>(m_width, m_limits.length());
    length = std::clamp(length, shortest, m_limits.length());
    begin = std::clamp(begin, m_limits.begin, m_limits.end - length);
    m_visible = {begin, begin + length};
}

Ns Viewport::timeAt(std::int64_t px) const {
    return m_visible.begin + floorDiv(Wide{m_visible.length()} * px, m_width);
}

std::int64_t Viewport::xAt(Ns t) const {
    // Largest px with floor(length * px / width) <= d, that is px < (d + 1) * width / length.
    const Wide d = Wide{t} - m_visible.begin;
    return -floorDiv(-(d + 1) * m_width, m_visible.length()) - 1;
}

std::int64_t Viewport::edgeAt(Ns t) const {
    const Wide d = Wide{t} - m_visible.begin;
    return floorDiv(2 * d * m_width + m_visible.length(), Wide{2} * m_visible.length());
}

Ns Viewport::lengthOf(std::int64_t px) const {
    return -floorDiv(-Wide{m_visible.length()} * px, m_width);
}

void Viewport::zoomAt(std::int64_t px, double factor) {
    const auto scaled = static_cast<std::int64_t>(std::clamp(factor, 1e-4, 1e4) * kFactorUnit);
    const Ns anchor = timeAt(px);
    const Ns shortest = std::min<Ns>(m_width, m_limits.length());
    const Ns length =
        std::clamp(floorDiv(Wide{m_visible.length()} * scaled, kFactorUnit), shortest, m_limits.length());
    place(anchor - floorDiv(Wide{length} * px, m_width), length);
}

void Viewport::panBy(std::int64_t px) {
    const Ns shift = floorDiv(Wide{m_visible.length()} * (px < 0 ? -px : px), m_width);
    place(m_visible.begin + (px < 0 ? -shift : shift), m_visible.length());
}

} // namespace olab
