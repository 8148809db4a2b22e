#include <olab/view/colouring.h>

#include <olab/trace/lanes.h>
#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <numeric>

namespace olab::view {

namespace {

constexpr double kColouredBytes = 3; // per activity: the rows hold more layers than those of classes

/// The colours that cover most of the strip, the longest first.
std::vector<ColourNumber> mostOf(const Strip& strip, const std::vector<ColourNumber>& colours) {
    std::array<Ns, kColours> time{};
    std::array<bool, kColours> seen{};
    for (std::size_t i = 0; i < strip.times.size(); ++i) {
        const ColourNumber colour = colours[strip.activities[i]];
        time[colour] += strip.times[i].length();
        seen[colour] = true;
    }
    std::vector<ColourNumber> found;
    for (ColourNumber c = 0; c < kColours; ++c)
        if (seen[c])
            found.push_back(c);
    std::ranges::stable_sort(found, std::ranges::greater(), [&](ColourNumber c) { return time[c]; });
    return found;
}

std::unique_ptr<const Colouring::Layered>
layeredOf(const Strip& strip, const std::vector<ColourNumber>& colours, ColourNumber others) {
    auto made = std::make_unique<Colouring::Layered>();
    std::vector<ColourNumber>& of = made->colours;
    of = mostOf(strip, colours);
    if (of.empty())
        of.push_back(others);
    if (of.size() > Colouring::kMostLayers) {
        of.resize(Colouring::kMostLayers);
        if (std::ranges::find(of, others) == of.end())
            of.back() = others;
    }
    made->layerOf.fill(static_cast<std::uint8_t>(std::ranges::find(of, others) - of.begin()));
    for (std::size_t layer = 0; layer < of.size(); ++layer)
        made->layerOf[of[layer]] = static_cast<std::uint8_t>(layer);
    const Layers layers{nullptr, strip.activities, {}, of.size(), colours.data(), made->layerOf.data()};
    made->table = StripTable(strip.times, layers, kColouredBytes);
    return made;
}

} // namespace

void Colouring::addStrips(const TimelineIndex& index, ColourNumber others, const RunControl& control) {
    std::vector<const Strip*> strips;
    for (const Lane& lane : index.lanes().lanes())
        for (const Strip& strip : index.strips(lane.id))
            strips.push_back(&strip);
    for (const OpenedLanePtr& opened : m_opened)
        for (const std::vector<Strip>& ofLane : opened->strips)
            for (const Strip& strip : ofLane)
                strips.push_back(&strip);
    std::vector<std::unique_ptr<const Layered>> made(strips.size());
    sideBySide(strips.size(), threadsFor(index.trace().size()), [&](std::size_t i) {
        control.throwIfCancelled();
        made[i] = layeredOf(*strips[i], m_colours, others);
    });
    for (std::size_t i = 0; i < strips.size(); ++i)
        m_layered.emplace(strips[i], std::move(made[i]));
}

const Colouring::Layered* Colouring::layered(const Strip& strip) const {
    const auto found = m_layered.find(&strip);
    return found == m_layered.end() ? nullptr : found->second.get();
}

std::size_t Colouring::memoryBytes() const {
    std::size_t bytes = m_colours.capacity();
    for (const auto& [strip, layered] : m_layered)
        bytes += sizeof(*layered) + layered->table.memoryBytes();
    return bytes;
}

} // namespace olab::view
