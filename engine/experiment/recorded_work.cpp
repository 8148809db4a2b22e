#include "experiment_json.h"
#include "plan_parts.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/limits.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace olab::experiment {
namespace {

bool has(const RecordedWork& work, OpKind kind) {
    return std::ranges::any_of(work.ops, [kind](const RecordedOp& op) { return op.kind == kind; });
}

std::string keyIsIdle(const Experiment& e, const Experiment& base) {
    for (const OptionRow& row : optionTable())
        if (const std::string_view because = idleForRecordedWork(row.key);
            !because.empty() && row.get(e) != row.get(base))
            return std::string(row.key) + "=" + row.get(e) +
                   " does nothing to recorded work: " + std::string(because);
    return {};
}

std::string usedWithoutCopy(const Experiment& e) {
    for (const auto& [key, memory] : {std::pair{"h2d.memory", e.h2dMemory}, {"d2h.memory", e.d2hMemory}})
        if (usedInPlace(memory))
            return std::string(key) + "=" + optionText(e, key) +
                   " would leave out the copies: which kernel used them no record says. Choose pinned, "
                   "pageable or registered.";
    return {};
}

std::string nothingLeft(const Experiment& e) {
    if (std::ranges::any_of(e.work->ops, [&](const RecordedOp& op) { return detail::isLeftIn(e, op.kind); }))
        return {};
    return "Nothing is left of the recorded work: turn h2d, memset, kernel or d2h on.";
}

std::string impossibleStreams(const Experiment& e) {
    if (e.streamKind == PlannedStreamKind::PerThread && e.work->streamKind != e.streamKind)
        return "stream.kind=per-thread needs a thread for each stream: one thread issues recorded work.";
    return {};
}

std::string tooManySteps(const Experiment& e) {
    // Event waits that replace host waits add events.
    const auto most = static_cast<std::int64_t>(e.work->ops.size()) * (e.streams + 2);
    const std::int64_t ops = most <= kMaxPlannedOps ? 0 : detail::plannedWorkOps(e);
    if (ops <= kMaxPlannedOps)
        return {};
    return "With these options the recorded work takes " + std::to_string(ops) + " ops; at most " +
           std::to_string(kMaxPlannedOps) + " are possible: lower streams, or take a shorter window.";
}

/// Without the work itself, which options do not need.
Experiment baseOf(const RecordedWork& work) {
    Experiment e;
    e.streams = static_cast<int>(std::max<std::size_t>(work.streams.size(), 1));
    e.iterations = 1;
    e.h2d = has(work, OpKind::CopyH2D);
    e.memset = has(work, OpKind::Memset);
    e.kernel = has(work, OpKind::Kernel);
    e.d2h = has(work, OpKind::CopyD2H);
    e.callback = has(work, OpKind::HostFn);
    e.h2dMemory = work.source;
    e.d2hMemory = work.target;
    e.streamKind = work.streamKind;
    e.sync = work.sync;
    e.syncEvery = work.waits ? SyncEvery::Iteration : SyncEvery::End;
    e.api = work.api;
    e.gate = work.queued;
    return e;
}

} // namespace

HeldExperiment experimentOf(RecordedWork work) {
    Experiment e = baseOf(work);
    e.work = RecordedWorkPtr(std::move(work));
    return e;
}

const RecordedWork* recordedWorkOf(const Experiment& experiment) {
    return experiment.work ? &*experiment.work : nullptr;
}

std::string_view idleForRecordedWork(std::string_view key) {
    const OptionRow* row = findOption(key);
    return row ? row->idleInRecordedWork : std::string_view{};
}

std::string recordedWorkText(const RecordedWork& work) {
    const auto count = std::ranges::count_if(work.ops, [](const RecordedOp& op) {
        const auto cls = classOf(op.kind);
        return cls && isDeviceClass(*cls);
    });
    return std::to_string(count) + (count == 1 ? " operation in " : " operations in ") +
           std::to_string(work.streams.size()) + (work.streams.size() == 1 ? " stream of " : " streams of ") +
           work.title;
}

std::vector<std::string> detail::workConflicts(const Experiment& e) {
    std::vector<std::string> out{keyIsIdle(e, baseOf(*e.work)), usedWithoutCopy(e), nothingLeft(e),
                                 impossibleStreams(e)};
    std::erase(out, std::string());
    if (out.empty())
        if (std::string many = tooManySteps(e); !many.empty())
            out.push_back(std::move(many));
    return out;
}

} // namespace olab::experiment

namespace olab::experiment::detail {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 61;
constexpr std::int64_t kMostNumber = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostAssumed = 32;

[[noreturn]] void refuse(const std::string& what) {
    throw Error(ErrorKind::Usage, "bad-json", "The recorded work of the experiment cannot be read: " + what,
                "Make the experiment of the recording again.");
}

// --- rows of numbers: "1 2 3;4 5 6"

template <std::size_t N>
void addRow(std::string& text, const std::array<std::int64_t, N>& numbers) {
    for (std::size_t i = 0; i < N; ++i)
        text.append(i == 0 ? (text.empty() ? "" : ";") : " ").append(std::to_string(numbers[i]));
}

/// Reads such a text row by row.
template <std::size_t N>
class Rows {
public:
    Rows(const ReadJson& json, const char* key, std::size_t most)
        : m_key(key)
        , m_left(most) {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_string())
            refuse(std::string(key) + " is missing.");
        m_text = found->template get_ref<const std::string&>();
    }
    bool next(std::array<std::int64_t, N>& row) {
        if (m_text.empty())
            return false;
        if (m_left-- == 0)
            refuse(std::string(m_key) + " are too many.");
        for (std::size_t i = 0; i < N; ++i)
            row[i] = number(i + 1 == N ? ';' : ' ');
        return true;
    }

private:
    std::int64_t number(char behind) {
        std::int64_t value = 0;
        const auto [rest, error] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value);
        m_text.remove_prefix(static_cast<std::size_t>(rest - m_text.data()));
        const bool ends = behind == ';' && m_text.empty();
        if (error != std::errc() || (!ends && !m_text.starts_with(behind)))
            refuse(std::string(m_key) + " are not what they should be.");
        m_text.remove_prefix(ends ? 0 : 1);
        return value;
    }
    const char* m_key;
    std::size_t m_left;
    std::string_view m_text;
};

std::int64_t inRange(std::int64_t value, std::int64_t min, std::int64_t max, const char* what) {
    if (value < min || value > max)
        refuse(std::string(what) + " is out of range.");
    return value;
}
template <typename Enum>
Enum choice(std::int64_t value, Enum last, const char* what) {
    return static_cast<Enum>(inRange(value, 0, static_cast<std::int64_t>(last), what));
}

// --- its parts

std::int64_t rankOf(std::uint32_t rank) {
    return rank == kNoNumber ? -1 : std::int64_t{rank};
}

std::string streamsText(const RecordedWork& work) {
    std::string text;
    for (const RecordedStream& s : work.streams)
        addRow(text, std::array<std::int64_t, 2>{static_cast<std::int64_t>(s.kind), rankOf(s.priorityRank)});
    return text;
}

std::vector<RecordedStream> streamsIn(const ReadJson& json) {
    std::vector<RecordedStream> streams;
    Rows<2> rows(json, "streams", kMostRecordedStreams);
    for (std::array<std::int64_t, 2> row{}; rows.next(row);) {
        const std::int64_t rank = inRange(row[1], -1, kMostNumber, "a priority");
        streams.push_back({choice(row[0], PlannedStreamKind::PerThread, "a stream"),
                           rank < 0 ? kNoNumber : static_cast<std::uint32_t>(rank)});
    }
    return streams;
}

std::string gridsText(const RecordedWork& work) {
    std::string text;
    for (const PlannedGrid& g : work.grids)
        addRow(text, std::array<std::int64_t, 4>{g.duration, g.blocks, g.threads, g.sharedBytes});
    return text;
}

std::vector<PlannedGrid> gridsIn(const ReadJson& json) {
    std::vector<PlannedGrid> grids;
    Rows<4> rows(json, "kernels", kMostRecordedGrids);
    for (std::array<std::int64_t, 4> row{}; rows.next(row);)
        grids.push_back({inRange(row[0], 1, kMost, "a kernel"),
                         static_cast<std::uint32_t>(inRange(row[1], 1, kMostNumber, "a grid")),
                         static_cast<std::uint32_t>(inRange(row[2], 1, 1024, "a block")),
                         inRange(row[3], 0, 227 << 10, "shared memory")});
    return grids;
}

std::string opsText(const RecordedWork& work) {
    std::string text;
    text.reserve(work.ops.size() * 20);
    for (const RecordedOp& op : work.ops)
        addRow(text, std::array<std::int64_t, 6>{static_cast<std::int64_t>(op.kind), op.stream, op.amount,
                                                 op.number, static_cast<std::int64_t>(op.memory),
                                                 static_cast<std::int64_t>(op.sync)});
    return text;
}

bool canBeRecorded(OpKind kind) {
    constexpr std::array kKinds{OpKind::CopyH2D,  OpKind::CopyD2H, OpKind::FillCopy,    OpKind::Memset,
                                OpKind::Kernel,   OpKind::HostFn,  OpKind::EventRecord, OpKind::EventWait,
                                OpKind::HostSync, OpKind::HostWork};
    for (const OpKind each : kKinds)
        if (each == kind)
            return true;
    return false;
}

RecordedOp opIn(const std::array<std::int64_t, 6>& row, const RecordedWork& work) {
    RecordedOp op;
    op.kind = choice(row[0], OpKind::HostWork, "an operation");
    if (!canBeRecorded(op.kind))
        refuse("an operation is of a kind that is not recorded.");
    op.stream = static_cast<std::int32_t>(
        inRange(row[1], 0, static_cast<std::int64_t>(work.streams.size()) - 1, "a stream's number"));
    op.amount = inRange(row[2], 0, kMost, "an amount");
    const bool isEvent = op.kind == OpKind::EventRecord || op.kind == OpKind::EventWait;
    const std::int64_t numbers = op.kind == OpKind::Kernel ? static_cast<std::int64_t>(work.grids.size())
                                 : isEvent                 ? std::int64_t{work.events}
                                                           : 1;
    op.number = static_cast<std::uint32_t>(inRange(row[3], 0, numbers - 1, "a number"));
    op.memory = choice(row[4], HostMemory::WriteCombined, "memory");
    op.sync = choice(row[5], SyncMode::Poll, "a wait");
    return op;
}

std::vector<RecordedOp> opsIn(const ReadJson& json, const RecordedWork& work) {
    std::vector<RecordedOp> ops;
    Rows<6> rows(json, "ops", kMostRecordedSteps);
    for (std::array<std::int64_t, 6> row{}; rows.next(row);)
        ops.push_back(opIn(row, work));
    return ops;
}

std::string ratesText(const HostRates& r) {
    std::string text;
    addRow(text, std::array<std::int64_t, 6>{r.h2dPinned, r.h2dPageable, r.d2hPinned, r.d2hPageable,
                                             r.onDevice, r.memset});
    return text;
}

HostRates ratesIn(const ReadJson& json) {
    constexpr std::int64_t kMostRate = 1'000'000'000;
    std::array<std::int64_t, 6> row{};
    Rows<6>(json, "rates", 1).next(row);
    for (const std::int64_t rate : row)
        inRange(rate, 0, kMostRate, "a rate");
    return {row[0], row[1], row[2], row[3], row[4], row[5]};
}

std::string textIn(const ReadJson& json) {
    return json.is_string() ? std::string(cutText(json.get_ref<const std::string&>(), kMaxFactBytes))
                            : std::string();
}

std::int64_t numberIn(const ReadJson& json, const char* key, std::int64_t max) {
    const auto found = json.find(key);
    const auto number = found == json.end() ? std::nullopt : wholeNumber(*found, 0, max);
    return number ? *number : (refuse(std::string(key) + " is out of range."), 0);
}

bool flagIn(const ReadJson& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

} // namespace

Json workToJson(const RecordedWork& work) {
    return {{"title", work.title},
            {"assumed", work.assumed},
            {"makespan_ns", work.makespan},
            {"source", static_cast<int>(work.source)},
            {"target", static_cast<int>(work.target)},
            {"stream_kind", static_cast<int>(work.streamKind)},
            {"sync", static_cast<int>(work.sync)},
            {"api", static_cast<int>(work.api)},
            {"waits", work.waits},
            {"queued", work.queued},
            {"events", work.events},
            {"rates", ratesText(work.rates)},
            {"streams", streamsText(work)},
            {"kernels", gridsText(work)},
            {"ops", opsText(work)}};
}

RecordedWork workFromJson(const ReadJson& json) {
    if (!json.is_object())
        refuse("it is no object.");
    RecordedWork work;
    work.title = json.contains("title") ? textIn(json["title"]) : std::string();
    if (json.contains("assumed") && json["assumed"].is_array())
        for (const ReadJson& line : json["assumed"])
            if (work.assumed.size() < kMostAssumed)
                work.assumed.push_back(textIn(line));
    work.makespan = numberIn(json, "makespan_ns", kMost);
    work.source = choice(numberIn(json, "source", kMost), HostMemory::WriteCombined, "memory");
    work.target = choice(numberIn(json, "target", kMost), HostMemory::WriteCombined, "memory");
    work.streamKind = choice(numberIn(json, "stream_kind", kMost), PlannedStreamKind::PerThread, "a stream");
    work.sync = choice(numberIn(json, "sync", kMost), SyncMode::Poll, "a wait");
    work.api = choice(numberIn(json, "api", kMost), Api::Driver, "the API");
    work.waits = flagIn(json, "waits");
    work.queued = flagIn(json, "queued");
    work.events = static_cast<std::uint32_t>(numberIn(json, "events", kMostRecordedSteps));
    work.rates = ratesIn(json);
    work.streams = streamsIn(json);
    work.grids = gridsIn(json);
    if (work.streams.empty())
        refuse("it has no stream.");
    work.ops = opsIn(json, work);
    return work;
}

} // namespace olab::experiment::detail
