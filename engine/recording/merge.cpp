#include <olab/recording/merge.h>

#include "collective_match.h"
#include "merge_names.h"

#include <olab/analysis/waits.h>
#include <olab/comparison/same_work.h>
#include <olab/trace/limits.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <map>
#include <set>

namespace olab::recording {
namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kMostDevices = 255;
constexpr std::size_t kMostProcesses = 4096;
constexpr Ns kMostApart = Ns{1} << 61; // of two recordings: else sums of their times have no room
/// Clocks that agree within this, or within what the ends of collectives scatter, are right.
constexpr Ns kClocksAgree = 50'000;
constexpr Ns kTimesScatter = 5;

Ns beginOf(const Trace& trace) {
    return trace.deviceSpan().length() > 0 ? trace.deviceSpan().begin : trace.span().begin;
}

std::optional<Ns> difference(Wide a, Wide b) {
    const Wide apart = a - b;
    return apart > kMostApart || apart < -kMostApart ? std::nullopt : std::optional(static_cast<Ns>(apart));
}

struct Placed {
    RankAlignment alignment = RankAlignment::Unaligned;
    Ns shift = 0, correction = 0;
    std::int64_t error = -1;
    std::uint64_t shared = 0;
};

/// The position of each recording, in times of the reference.
class Alignment {
public:
    explicit Alignment(const std::vector<MergePart>& parts, const RunControl& control)
        : m_parts(parts) {
        for (const MergePart& part : parts) {
            control.throwIfCancelled();
            m_walls.push_back(wallOf(*part.trace));
            m_ends.push_back(collectiveEnds(*part.trace));
        }
        m_reference = reference();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            control.throwIfCancelled();
            control.report(static_cast<double>(i) / static_cast<double>(parts.size()), "aligning");
            m_placed.push_back(place(i));
        }
    }
    const Placed& operator[](std::size_t part) const { return m_placed[part]; }
    /// Of the reference; nothing if unknown.
    std::optional<Ns> wall() const { return m_walls[m_reference]; }

private:
    /// The one that can be compared with most others: it knows its wall time and has the most collectives.
    std::size_t reference() const {
        std::size_t best = 0;
        const auto worth = [this](std::size_t i) {
            return std::pair(m_walls[i].has_value(), m_ends[i].size());
        };
        for (std::size_t i = 1; i < m_parts.size(); ++i)
            if (!m_parts[i].trace->empty() && worth(i) > worth(best))
                best = i;
        return best;
    }

    Placed place(std::size_t i) const {
        if (i == m_reference)
            return {RankAlignment::Reference, 0, 0, 0, m_ends[i].size()};
        std::optional<Ns> byClock;
        if (m_walls[i] && m_walls[m_reference])
            byClock = difference(*m_walls[i], *m_walls[m_reference]);
        const auto match = matchCollectives(m_ends[m_reference], m_ends[i], byClock);
        if (match && !byClock)
            return {RankAlignment::Collectives, match->shift, 0, match->error, match->shared};
        if (match) {
            const auto wrong = difference(match->shift, *byClock);
            const bool agrees =
                wrong && std::abs(*wrong) <= std::max(kClocksAgree, kTimesScatter * match->error);
            if (agrees)
                return {RankAlignment::Clocks, *byClock, 0, std::abs(*wrong) + match->error, match->shared};
            return {RankAlignment::Collectives, match->shift, wrong.value_or(0), match->error, match->shared};
        }
        if (byClock)
            return {RankAlignment::Clocks, *byClock, 0, -1, 0};
        const auto begins = difference(beginOf(*m_parts[m_reference].trace), beginOf(*m_parts[i].trace));
        return {RankAlignment::Unaligned, begins.value_or(0), 0, -1, 0};
    }

    const std::vector<MergePart>& m_parts;
    std::vector<std::optional<Ns>> m_walls;
    std::vector<std::vector<CollectiveEnd>> m_ends;
    std::size_t m_reference = 0;
    std::vector<Placed> m_placed;
};

/// Copies one recording into the merged one: renumbers processes, sets the rank of devices, shifts times.
/// Data of a plan, a window or a single recording's environment is not copied.
class PartSink final : public ForwardingSink {
public:
    PartSink(RecordSink& target, const Trace& trace, Ns shift, std::string name, std::uint32_t firstRank,
             std::uint32_t firstProcess)
        : ForwardingSink(target)
        , m_shift(shift)
        , m_name(std::move(name))
        , m_firstRank(firstRank) {
        std::set<std::uint32_t> processes;
        for (const Queue& queue : trace.queues())
            processes.insert(queue.process);
        for (const ProcessRecord& process : trace.processes())
            processes.insert(process.process);
        for (const StreamCall& call : trace.streamCalls()) // perhaps of a process with nothing else here
            processes.insert(call.process);
        for (const RankRecord& rank : trace.ranks())
            m_ranks.emplace(rank.rank, firstRank + static_cast<std::uint32_t>(m_ranks.size()));
        for (const std::uint32_t process : processes)
            m_processes.emplace(process, firstProcess++);
        for (const Queue& queue : trace.queues())
            if (queue.kind == Queue::Kind::Stream)
                m_devices[queue.process].insert(trace.devices()[queue.device].device);
    }
    std::uint32_t processes() const { return static_cast<std::uint32_t>(m_processes.size()); }

    using ForwardingSink::add;
    void add(const RankRecord&) override {} // added by the caller
    void add(const ProcessRecord&) override {}
    void add(const EnvironmentRecord&) override {}
    void add(const ProvenanceRecord&) override {}
    void add(const CorrelationRecord&) override {}
    void add(const SoloRecord&) override {}
    void add(const WindowRecord&) override {}
    /// Each process that uses the device refers to it; the builder merges numbers of the same device.
    void add(const DeviceRecord& r) override {
        DeviceRecord device = r;
        device.rank = rankOf(r.rank);
        bool used = false;
        for (const auto& [process, devices] : m_devices)
            if (devices.contains(r.device)) {
                device.process = m_processes.at(process);
                target().add(device);
                used = true;
            }
        if (!used && !m_processes.empty()) {
            device.process = m_processes.begin()->second;
            target().add(device);
        }
    }
    void add(const ContextRecord& r) override { addOfItsProcess(r); }
    void add(const StreamRecord& r) override { addOfItsProcess(r); }
    void add(const StreamCallRecord& r) override { addOfItsProcess(r); }
    void add(const ActivityRecord& r) override {
        ActivityRecord activity = r;
        activity.process = processOf(r.process);
        activity.op = kNoOp;
        activity.begin += m_shift, activity.end += m_shift;
        target().add(activity);
    }
    void add(const RefusedRecord& r) override {
        RefusedRecord refused = r;
        refused.detail = m_name + (r.detail.empty() ? "" : ": " + r.detail);
        target().add(refused);
    }

    /// States the rank of each process.
    void addProcesses(const Trace& trace) {
        for (const auto& [old, number] : m_processes) {
            const auto known = std::ranges::find(trace.processes(), old, &ProcessRecord::process);
            ProcessRecord process = known == trace.processes().end() ? ProcessRecord{} : *known;
            process.process = number;
            process.rank = rankOf(process.rank);
            target().add(process);
        }
    }
    std::uint32_t rankOf(std::uint32_t old) const {
        const auto known = m_ranks.find(old);
        return known == m_ranks.end() ? m_firstRank : known->second;
    }

private:
    std::uint32_t processOf(std::uint32_t old) const { return m_processes.at(old); }
    template <class Record>
    void addOfItsProcess(Record record) {
        record.process = processOf(record.process);
        target().add(record);
    }
    Ns m_shift;
    std::string m_name;
    std::uint32_t m_firstRank;
    std::map<std::uint32_t, std::uint32_t> m_processes, m_ranks; ///< new numbers
    std::map<std::uint32_t, std::set<std::uint32_t>> m_devices;  ///< by process
};

std::string leftOutOf(const io::RecordingData& data, const Trace& trace) {
    std::string text;
    const auto add = [&text](bool has, std::string_view what) {
        if (has)
            text += (text.empty() ? "" : ", ") + std::string(what);
    };
    add(data.experiment != nullptr, "what was planned");
    add(!trace.solos().empty(), "its solo runs");
    add(!trace.windows().empty(), "its measured window");
    add(data.toolEffect.has_value(), "its tool effect");
    add(data.interventions.controls.has_value(), "its controls");
    add(!data.interventions.proofs.empty(), "its proofs");
    add(!data.runs.empty() || !data.times.empty(), "the other runs of its job");
    return text;
}

class Merger {
public:
    Merger(std::vector<MergePart> parts, const RunControl& control)
        : m_parts(std::move(parts))
        , m_control(control)
        , m_names(rankNames(m_parts))
        , m_alignment(m_parts, control) {
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_shifts.push_back(m_alignment[i].shift);
        keepPositive();
    }

    io::RecordingData merge() {
        addProvenance();
        addEnvironment();
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            addPart(i);
        m_made.trace = m_builder.finish();
        io::fitBookmarks(m_made.bookmarks, m_made.trace);
        return std::move(m_made);
    }

private:
    /// An instant at time 0 would look like one without a time.
    void keepPositive() {
        Wide first = 1;
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            if (!m_parts[i].trace->empty())
                first = std::min(first, Wide{m_parts[i].trace->span().begin} + m_shifts[i]);
        m_origin = static_cast<Ns>(std::min<Wide>(1 - first, kMostApart));
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const Interval span = m_parts[i].trace->span();
            const Wide to = Wide{span.end} + m_shifts[i] + m_origin,
                       from = Wide{span.begin} + m_shifts[i] + m_origin;
            constexpr Wide kLimit = Wide{1} << 62;
            if (to > kLimit || from < -kLimit)
                throw Error(ErrorKind::Usage, "cannot-merge",
                            "The times of " + m_parts[i].file + " are too far from those of the others.",
                            "Its clock was wrong, or the file is damaged: leave it out.");
            m_shifts[i] += m_origin;
        }
    }

    void addProvenance() {
        ProvenanceRecord all = m_parts.front().trace->provenance();
        std::set<std::string> tools;
        for (const MergePart& part : m_parts) {
            const ProvenanceRecord& p = part.trace->provenance();
            if (!p.tool.empty() && tools.insert(p.tool).second && tools.size() > 1)
                all.tool += (all.tool.empty() ? "" : ", ") + p.tool;
            if (p.toolVersion != all.toolVersion)
                all.toolVersion.clear();
            if (!p.recordedAt.empty() && (all.recordedAt.empty() || p.recordedAt < all.recordedAt))
                all.recordedAt = p.recordedAt;
            if (p.source != all.source) // a partly simulated recording is not a measurement
                all.source = p.source == SourceKind::Simulated || all.source == SourceKind::Simulated
                                 ? SourceKind::Simulated
                                 : SourceKind::Imported;
        }
        m_builder.add(all);
    }

    /// Values common to all are copied; others get the recording's name as a prefix.
    void addEnvironment() {
        constexpr std::size_t kMost = kMaxEnvironment - 16;
        std::map<std::string, std::pair<std::string, std::size_t>> common;
        for (const MergePart& part : m_parts)
            for (const auto& [key, value] : part.trace->environment())
                if (const auto at = common.try_emplace(key, value, 0).first; at->second.first == value)
                    ++at->second.second;
        std::size_t lines = 0, more = 0;
        const auto add = [&](const std::string& key, const std::string& value) {
            if (lines++ < kMost)
                m_builder.add(EnvironmentRecord{key, value});
            else
                ++more;
        };
        const auto isCommon = [&](const std::string& key) {
            return common.at(key).second == m_parts.size() && key != kBaseKey;
        };
        for (const auto& [key, value] : common)
            if (isCommon(key))
                add(key, value.first);
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            for (const auto& [key, value] : m_parts[i].trace->environment())
                if (!isCommon(key))
                    add(m_names[i] + "/" + key, value);
        if (more > 0)
            m_builder.add(
                EnvironmentRecord{"merge.left_out", std::to_string(more) + " lines about single recordings"});
        if (const auto wall = m_alignment.wall())
            m_builder.add(EnvironmentRecord{std::string(kBaseKey), std::to_string(*wall - m_origin)});
    }

    void addPart(std::size_t i) {
        m_control.throwIfCancelled();
        m_control.report(static_cast<double>(i) / static_cast<double>(m_parts.size()),
                         "merging " + m_names[i]);
        const Trace& trace = *m_parts[i].trace;
        PartSink sink(m_builder, trace, m_shifts[i], m_names[i], m_ranks, m_processes);
        m_devices += trace.devices().size();
        m_processes += sink.processes();
        if (m_devices > kMostDevices || m_processes > kMostProcesses)
            throw Error(ErrorKind::Usage, "cannot-merge",
                        "These recordings have more devices or processes than one can hold: " +
                            std::to_string(kMostDevices) + " devices, " + std::to_string(kMostProcesses) +
                            " processes.",
                        "Merge fewer of them.");
        tellAlignment(i);
        addRanks(i, sink);
        sink.addProcesses(trace);
        trace.replay(sink);
        addBookmarks(i);
        m_ranks += static_cast<std::uint32_t>(std::max<std::size_t>(1, trace.ranks().size()));
        m_parts[i].trace.reset(); // its memory is needed
    }

    void addRanks(std::size_t i, const PartSink& sink) {
        const Trace& trace = *m_parts[i].trace;
        const Placed& placed = m_alignment[i];
        RankRecord rank{m_ranks,           m_names[i],   m_parts[i].file, placed.alignment,  m_shifts[i],
                        placed.correction, placed.error, placed.shared,   m_parts[i].leftOut};
        if (trace.ranks().empty())
            return m_builder.add(rank);
        for (RankRecord inner : trace.ranks()) { // each by what is less sure: within, or here
            inner.rank = sink.rankOf(inner.rank);
            inner.shift += m_shifts[i];
            const bool isSure = inner.alignment == RankAlignment::Reference;
            if (isSure || placed.alignment == RankAlignment::Unaligned) {
                inner.alignment = placed.alignment;
                inner.error = placed.error, inner.shared = placed.shared;
            } else if (placed.error > inner.error)
                inner.error = placed.error;
            m_builder.add(inner);
        }
    }

    void tellAlignment(std::size_t i) {
        const Placed& placed = m_alignment[i];
        if (placed.alignment == RankAlignment::Unaligned)
            m_builder.addDefect(DefectCode::NotAligned, 1, 0, m_names[i]);
        if (placed.correction != 0)
            m_builder.addDefect(DefectCode::ClocksDisagree, 1, 0,
                                m_names[i] + " by " + analysis::timeText(std::abs(placed.correction)) +
                                    ", now within " + analysis::timeText(placed.error));
    }

    void addBookmarks(std::size_t i) {
        m_made.bookmarksPartly = m_made.bookmarksPartly || m_parts[i].bookmarksPartly;
        for (io::Bookmark bookmark : m_parts[i].bookmarks) {
            if (bookmark.time.begin < -kMostApart || bookmark.time.end > Ns{1} << 62) { // outside its time
                m_made.bookmarksPartly = true;
                continue;
            }
            if (m_made.bookmarks.size() == io::kMaxBookmarks) {
                m_made.bookmarksPartly = true;
                return;
            }
            bookmark.time = {bookmark.time.begin + m_shifts[i], bookmark.time.end + m_shifts[i]};
            bookmark.note = io::cutNote(m_names[i] + ": " + bookmark.note);
            bookmark.row.clear(), bookmark.activity.reset();
            m_made.bookmarks.push_back(std::move(bookmark));
        }
    }

    std::vector<MergePart> m_parts;
    const RunControl& m_control;
    std::vector<std::string> m_names;
    Alignment m_alignment;
    std::vector<Ns> m_shifts;
    Ns m_origin = 0; ///< added to all
    TraceBuilder m_builder;
    io::RecordingData m_made;
    std::uint32_t m_ranks = 0, m_processes = 0;
    std::size_t m_devices = 0;
};

std::string calledBy(const MergePart& part) {
    return part.file.empty() ? part.title : part.file;
}

/// Its work would count twice.
void refuseRepeated(const std::vector<MergePart>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (comparison::isSameRecording(*parts[j].trace, *parts[i].trace))
                throw Error(ErrorKind::Usage, "cannot-merge",
                            calledBy(parts[j]) + " and " + calledBy(parts[i]) + " are the same recording.",
                            "Leave one of them out: its work would count twice.");
}

} // namespace

MergePart partOf(io::RecordingData data, std::string file) {
    auto trace = std::make_shared<const Trace>(std::move(data.trace));
    return partOf(std::move(trace), std::move(data), std::move(file));
}

MergePart partOf(std::shared_ptr<const Trace> trace, io::RecordingData data, std::string file) {
    std::string leftOut = leftOutOf(data, *trace);
    return {std::move(trace),          std::move(file),      std::move(data.label.title),
            std::move(data.bookmarks), data.bookmarksPartly, std::move(leftOut)};
}

io::RecordingData mergeRecordings(std::vector<MergePart> parts, const RunControl& control) {
    if (parts.size() < 2)
        throw Error(ErrorKind::Usage, "cannot-merge", "One recording alone cannot be merged.",
                    "Name two or more: those of the ranks of one run.");
    refuseRepeated(parts);
    return Merger(std::move(parts), control).merge();
}

} // namespace olab::recording
