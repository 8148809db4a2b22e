#include <olab/view/colouring.h>

#include <olab/analysis/steady_state.h>
#include <olab/trace/fnv.h>
#include <olab/trace/kernel_name.h>

#include <algorithm>
#include <set>

namespace olab::view {

std::span<const ColourByRow> colourByRows() {
    static constexpr ColourByRow kRows[] = {
        {ColourBy::Class, "class", "class", "Kernels, copies of each direction, memsets, calls"},
        {ColourBy::Name, "name", "name",
         "Each kernel, range and call in a colour of its own, the same in every file"},
        {ColourBy::Stream, "stream", "stream", "Device work in the colour of its stream, on the engines too"},
        {ColourBy::Iteration, "iteration", "iteration",
         "What begins within the same repeating iteration in the same colour"},
        {ColourBy::Overlap, "overlap", "overlap",
         "Device work by how much of its time another engine of its GPU was busy"},
    };
    return kRows;
}

std::optional<ColourBy> colourByOf(std::string_view key) {
    for (const ColourByRow& row : colourByRows())
        if (row.key == key)
            return row.by;
    return std::nullopt;
}

namespace {

/// FNV with additional mixing of the bits.
std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = fnv(text);
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 33;
}

/// The n-th choice of a name: visits all numbers, because their count is prime.
ColourNumber choiceOf(std::uint64_t hash, std::uint64_t n) {
    const std::uint64_t step = 1 + (hash >> 32) % (kNameColours - 1);
    return static_cast<ColourNumber>(1 + (hash % kNameColours + n * step) % kNameColours);
}

ColourNumber freeColour(std::uint64_t hash, const std::array<bool, kColours>& taken) {
    std::uint64_t n = 0;
    while (n < kNameColours && taken[choiceOf(hash, n)])
        ++n;
    return choiceOf(hash, n);
}

/// The name of a kind of activities; for kernels in full, including template arguments.
std::string nameOf(const Trace& trace, const ActivityKind& kind) {
    const std::string_view recorded = trace.text(kind.name);
    if (recorded.empty() || (isDeviceClass(kind.cls) && kind.cls != ActivityClass::Kernel))
        return std::string(classLabel(kind.cls));
    return kind.cls == ActivityClass::Kernel ? demangled(recorded) : std::string(recorded);
}

std::string labelOf(const Trace& trace, const ActivityKind& kind) {
    const std::string_view recorded = trace.text(kind.name);
    return kind.cls == ActivityClass::Kernel && !recorded.empty() ? kernelName(recorded)
                                                                  : nameOf(trace, kind);
}

} // namespace

ColourNumber colourOfName(std::string_view name) {
    return freeColour(hashOf(name), {});
}

namespace {

/// By activity: whether it waited for one of these causes or lost most by it; empty if no cause is requested.
std::vector<bool> litBy(const ViewData& shown, std::span<const analysis::LossCause> causes) {
    const AccountPtr account = shown.account();
    if (causes.empty() || !account)
        return {};
    const auto isAsked = [&](analysis::LossCause cause) {
        return std::ranges::find(causes, cause) != causes.end();
    };
    std::vector<bool> lit(shown.trace().size());
    const auto& work = shown.facts.deviceWork();
    for (std::size_t n = 0; n < work.size(); ++n)
        if (const auto wait = account->waitOf(work.row(n)); wait && isAsked(wait->cause))
            lit[work.row(n)] = true;
    for (const analysis::LedgerEntry& entry : account->ledger().entries)
        if (isAsked(entry.cause))
            for (const ActivityIndex row : entry.activities)
                lit[row] = true;
    return lit;
}

} // namespace

Colouring::Colouring(const ViewData& shown, ColourBy by, std::vector<OpenedLanePtr> opened,
                     const RunControl& control, std::span<const analysis::LossCause> causes)
    : Colouring(shown.index, by, shown.steadyState().get(), std::move(opened), control,
                litBy(shown, causes)) {}

Colouring::Colouring(const TimelineIndex& index, ColourBy by, const analysis::SteadyState* steady,
                     std::vector<OpenedLanePtr> opened, const RunControl& control,
                     const std::vector<bool>& lit)
    : m_by(by)
    , m_colours(index.trace().size(), kOtherColour)
    , m_opened(std::move(opened)) {
    switch (by) {
    case ColourBy::Class:
        byClass(index.looks());
        break;
    case ColourBy::Name:
        byName(index.trace());
        break;
    case ColourBy::Stream:
        byStream(index.trace());
        break;
    case ColourBy::Iteration:
        byIteration(index.trace(), steady);
        break;
    case ColourBy::Overlap:
        byOverlap(index, control);
        break;
    }
    control.throwIfCancelled();
    dim(index.trace(), lit);
    addStrips(index, lit.empty() ? kOtherColour : kPaleColour, control);
}

void Colouring::byClass(const Looks& looks) {
    for (ActivityIndex i = 0; i < m_colours.size(); ++i)
        m_colours[i] = static_cast<ColourNumber>(kFirstLook + static_cast<std::size_t>(looks.of(i)));
}

void Colouring::dim(const Trace& trace, const std::vector<bool>& lit) {
    Entry others{"did not wait for it", kPaleColour, 0};
    for (ActivityIndex i = 0; i < lit.size(); ++i)
        if (!lit[i]) {
            m_colours[i] = kPaleColour;
            others.time += trace.duration(i);
        }
    if (others.time > 0)
        m_entries.push_back(others);
}

namespace {

/// The longest names of the device and the longest of the hosts, each name once.
template <typename Group>
std::vector<std::size_t> longestOf(const std::vector<Group>& groups) {
    std::map<std::uint64_t, std::size_t> firsts; // of a name
    std::vector<std::pair<Ns, std::size_t>> all;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!groups[i].isNamed)
            continue;
        const auto [at, isNew] = firsts.try_emplace(groups[i].hash, all.size());
        if (isNew)
            all.emplace_back(0, i);
        all[at->second].first += groups[i].time;
    }
    std::vector<std::size_t> found;
    for (const bool isDevice : {true, false}) {
        std::vector<std::pair<Ns, std::size_t>> some;
        std::ranges::copy_if(all, std::back_inserter(some),
                             [&](const auto& each) { return groups[each.second].isDevice == isDevice; });
        const auto most = isDevice ? Colouring::kListedDevice : Colouring::kListedHost;
        std::ranges::stable_sort(some, std::ranges::greater(), [](const auto& each) { return each.first; });
        for (std::size_t i = 0; i < std::min(some.size(), most); ++i)
            found.push_back(some[i].second);
    }
    return found;
}

} // namespace

/// Listed names choose first, in order; no other name gets their numbers.
std::vector<ColourNumber> Colouring::coloursOf(const std::vector<Group>& groups,
                                               const std::vector<std::size_t>& listed) {
    std::array<bool, kColours> taken{};
    std::map<std::uint64_t, ColourNumber> known;
    for (const std::size_t i : listed) {
        const ColourNumber colour = freeColour(groups[i].hash, taken);
        taken[colour] = true;
        known.emplace(groups[i].hash, colour);
    }
    std::vector<ColourNumber> colours(groups.size(), kOtherColour);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!groups[i].isNamed)
            continue;
        const auto at = known.find(groups[i].hash);
        colours[i] = at != known.end() ? at->second : freeColour(groups[i].hash, taken);
    }
    return colours;
}

/// Sets the times of the listed names, and of the rest.
void Colouring::addRest(const std::vector<Group>& groups, const std::vector<ColourNumber>& colours,
                        std::string_view others) {
    Entry rest{std::string(others), kOtherColour, 0};
    std::set<std::uint64_t> unlisted;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto entry = std::ranges::find(m_entries, colours[i], &Entry::colour);
        (entry != m_entries.end() ? *entry : rest).time += groups[i].time;
        if (groups[i].isNamed && entry == m_entries.end())
            unlisted.insert(groups[i].hash);
    }
    m_unlisted = unlisted.size();
    if (m_unlisted > 0 || rest.time > 0)
        m_entries.push_back(rest);
}

template <typename GroupOf, typename LabelOf>
void Colouring::give(const Trace& trace, std::vector<Group>& groups, GroupOf groupOf, LabelOf labelOf,
                     std::string_view others) {
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        groups[groupOf(i)].time += trace.duration(i);
    const std::vector<std::size_t> listed = longestOf(groups);
    const std::vector<ColourNumber> colours = coloursOf(groups, listed);
    for (const std::size_t i : listed)
        m_entries.push_back({labelOf(i), colours[i], 0});
    addRest(groups, colours, others);
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        m_colours[i] = colours[groupOf(i)];
}

void Colouring::byName(const Trace& trace) {
    const auto kinds = trace.kinds();
    std::vector<Group> groups;
    for (const ActivityKind& kind : kinds)
        groups.push_back({hashOf(nameOf(trace, kind)), 0, isDeviceClass(kind.cls)});
    give(
        trace, groups, [&](ActivityIndex i) { return trace.kindOf(i); },
        [&](std::size_t i) { return labelOf(trace, kinds[i]); }, "others");
}

namespace {

std::string streamName(const Trace& trace, const Queue& queue) {
    const std::string name = queue.streamKind == StreamKind::Null ? "NULL stream" + trace.processText(queue)
                                                                  : trace.queueText(queue);
    return trace.devices().size() > 1 ? trace.deviceText(queue.device) + " " + name : name;
}

} // namespace

void Colouring::byStream(const Trace& trace) {
    const auto queues = trace.queues();
    std::vector<Group> groups;
    for (const Queue& queue : queues)
        groups.push_back({hashOf(streamName(trace, queue)), 0, true, queue.kind == Queue::Kind::Stream});
    give(
        trace, groups, [&](ActivityIndex i) { return trace.queueOf(i).value; },
        [&](std::size_t i) { return streamName(trace, queues[i]); }, "others");
}

/// Assigned by begin, as a viewer reads it between two lines.
void Colouring::byIteration(const Trace& trace, const analysis::SteadyState* found) {
    const std::size_t count = found ? found->iterations.size() : 0;
    std::array<Ns, kIterationColours + 1> time{};
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const Ns begin = trace.begin(i);
        std::size_t colour = kOtherColour;
        if (count > 0) {
            const auto next = std::ranges::upper_bound(found->iterations, begin, {}, &Interval::begin);
            const auto number = static_cast<std::size_t>(next - found->iterations.begin());
            if (number > 0 && begin < found->iterations[number - 1].end)
                colour = 1 + (number - 1) % kIterationColours;
        }
        m_colours[i] = static_cast<ColourNumber>(colour);
        time[colour] += trace.duration(i);
    }
    for (std::size_t c = 0; c < std::min(count, kIterationColours); ++c) {
        const std::string first = std::to_string(c + 1);
        const std::size_t next = c + 1 + kIterationColours;
        m_entries.push_back({(c == 0 ? "iteration " : "") + first +
                                 (next <= count ? ", " + std::to_string(next) + ", ..." : ""),
                             static_cast<ColourNumber>(1 + c), time[1 + c]});
    }
    m_entries.push_back({count > 0 ? "outside the iterations" : "no repeating iteration was found",
                         kOtherColour, time[kOtherColour]});
}

namespace {

/// Step of the overlapped part: none, less than half, half or more, all of it (to a hundredth).
std::size_t overlapStep(Ns part, Ns whole) {
    if (part <= 0 || whole <= 0)
        return 0;
    return part >= whole - whole / 100 ? 3 : part >= whole - part ? 2 : 1;
}

} // namespace

/// With two engines busy, another engine runs beside each of them.
void Colouring::byOverlap(const TimelineIndex& index, const RunControl& control) {
    const Trace& trace = index.trace();
    std::vector<CoverageCursor> beside;
    for (std::size_t device = 0; device < index.deviceCount(); ++device)
        beside.emplace_back(index.atOnce(static_cast<std::uint8_t>(device))[1]);
    std::array<Ns, kOverlapColours + 1> time{}; // the last: activities of no engine
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (i % (1 << 16) == 0)
            control.throwIfCancelled();
        const Interval own = trace.time(i);
        std::size_t step = kOverlapColours;
        if (trace.engine(i) != EngineKind::None && trace.device(i) < beside.size()) {
            step = overlapStep(beside[trace.device(i)].measure(own), own.length());
            m_colours[i] = static_cast<ColourNumber>(kFirstOverlap + step);
        }
        time[step] += own.length();
    }
    constexpr std::array kNames{"alone: no other engine busy", "overlapped for less than half",
                                "for half or more", "all the time"};
    for (std::size_t step = 0; step < kOverlapColours; ++step)
        m_entries.push_back({kNames[step], static_cast<ColourNumber>(kFirstOverlap + step), time[step]});
    if (time[kOverlapColours] > 0)
        m_entries.push_back({"on no engine", kOtherColour, time[kOverlapColours]});
}

} // namespace olab::view
