#include <olab/recording/last_seconds.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <unordered_set>
#include <utility>
#include <variant>

namespace olab::recording {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kSpansKey = "recorded.spans";
constexpr std::uintmax_t kHead = 64; // a shorter file has not really begun
constexpr Ns kNever = std::numeric_limits<Ns>::min(), kAlways = std::numeric_limits<Ns>::max();

/// Data that other records refer to; repeated for each look.
class TraceFacts {
public:
    using Fact = std::variant<ProcessRecord, ClockRecord, RankRecord, DeviceRecord, ContextRecord,
                              StreamRecord, ProvenanceRecord>;
    template <typename Record>
    void note(const Record& record) {
        m_facts.emplace_back(record);
    }
    void note(const EnvironmentRecord& record) { m_environment[record.key] = record.value; }
    void passTo(RecordSink& sink) const {
        for (const Fact& fact : m_facts)
            std::visit([&sink](const auto& record) { sink.add(record); }, fact);
        for (const auto& [key, value] : m_environment)
            sink.add(EnvironmentRecord{key, value});
    }
    std::string valueOf(std::string_view key) const {
        const auto found = m_environment.find(key);
        return found == m_environment.end() ? std::string() : found->second;
    }
    std::size_t memoryBytes() const { return m_facts.size() * sizeof(Fact); }

private:
    std::vector<Fact> m_facts;
    std::map<std::string, std::string, std::less<>> m_environment; ///< a key has one value, the last
};

/// A chunk of records, encoded as in the file.
struct Kept {
    std::vector<std::byte> payload;
    std::size_t activities = 0;
    Ns end = kNever; ///< of the last record
};

/// Reads a new chunk: its facts, and the time at which it becomes too old.
class Census final : public RecordSink {
public:
    Census(TraceFacts& facts, Kept& kept)
        : m_facts(facts)
        , m_kept(kept) {}
    TextId intern(std::string_view) override { return {}; }
    bool wantsDetails() const override { return false; }
    void add(const ProcessRecord& r) override { m_facts.note(r); }
    void add(const ClockRecord& r) override { m_facts.note(r); }
    void add(const RankRecord& r) override { m_facts.note(r); }
    void add(const DeviceRecord& r) override { m_facts.note(r); }
    void add(const ContextRecord& r) override { m_facts.note(r); }
    void add(const StreamRecord& r) override { m_facts.note(r); }
    void add(const EnvironmentRecord& r) override { m_facts.note(r); }
    void add(const ProvenanceRecord& r) override { m_facts.note(r); }
    void add(const ActivityRecord& r) override {
        ++m_kept.activities;
        m_kept.end = std::max(m_kept.end, r.end);
    }
    void add(const CorrelationRecord&) override {}
    void add(const StreamCallRecord&) override {}
    void add(const SoloRecord&) override {}
    void add(const WindowRecord&) override {}
    void add(const RefusedRecord&) override {}

private:
    TraceFacts& m_facts;
    Kept& m_kept;
};

/// Passes on what ended after `from`. A long range that began before belongs to the whole program.
class Recent final : public ForwardingSink {
public:
    Recent(RecordSink& target, Ns from)
        : ForwardingSink(target)
        , m_from(from) {}
    void add(const ProcessRecord&) override {}
    void add(const ClockRecord&) override {}
    void add(const RankRecord&) override {}
    void add(const DeviceRecord&) override {}
    void add(const ContextRecord&) override {}
    void add(const StreamRecord&) override {}
    void add(const EnvironmentRecord&) override {}
    void add(const ProvenanceRecord&) override {}
    void add(const WindowRecord&) override {}
    void add(const RefusedRecord& r) override { target().add(r); }
    void add(const CorrelationRecord& r) override { target().add(r); }
    void add(const SoloRecord& r) override { target().add(r); }
    void add(const ActivityRecord& r) override {
        if (r.end <= m_from || (r.cls == ActivityClass::Nvtx && r.begin < m_from))
            return;
        if (r.cls == ActivityClass::Api && r.correlation != 0)
            m_calls.insert(r.correlation);
        target().add(r);
    }
    void add(const StreamCallRecord& r) override { m_streamCalls.push_back(r); }
    /// Adds those whose call is present.
    void finish() {
        for (const StreamCallRecord& call : m_streamCalls)
            if (m_calls.contains(call.correlation))
                target().add(call);
    }

private:
    const Ns m_from;
    std::unordered_set<std::uint32_t> m_calls; ///< correlations
    std::vector<StreamCallRecord> m_streamCalls;
};

struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Nothing if it does not exist or is still too short.
std::optional<FileIdentity> identityOf(const std::filesystem::path& file) {
    struct stat is {};
    if (::stat(file.c_str(), &is) != 0 || static_cast<std::uintmax_t>(is.st_size) < kHead)
        return std::nullopt;
    return FileIdentity{is.st_dev, is.st_ino};
}

} // namespace

std::vector<Interval> spansIn(std::string_view text) {
    std::vector<Interval> spans;
    for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
        Interval span{0, kAlways};
        const auto [dash, noBegin] = std::from_chars(at, end, span.begin);
        if (noBegin != std::errc() || dash == end || *dash != '-')
            break;
        const auto [rest, noEnd] = std::from_chars(dash + 1, end, span.end);
        at = std::find(noEnd == std::errc() ? rest : dash + 1, end, ' ');
        at += at < end ? 1 : 0;
        if (span.begin <= span.end)
            spans.push_back(span);
    }
    return spans;
}

struct LastSeconds::State {
    State(std::filesystem::path file_, std::chrono::milliseconds length_)
        : file(std::move(file_))
        , length(length_) {}

    /// @returns how the file ends at present
    FileEnd read(const RunControl& control) {
        const std::optional<FileIdentity> now = identityOf(file);
        if (!now)
            return FileEnd::Open;
        if (now != identity)
            begin(*now);
        const FileEnd end = follower->readOn([this](Chunk&& chunk) { take(std::move(chunk)); }, control);
        return end == FileEnd::Lost && identityOf(file) != identity ? FileEnd::Open : end;
    }
    void begin(const FileIdentity& now) {
        follower.emplace(file);
        identity = now;
        chunks.clear();
        facts = {};
        activities = 0;
        newest = droppedUntil = crowdedUntil = kNever;
    }
    void take(Chunk&& chunk) {
        if (chunk.type != ChunkType::Records)
            return;
        Kept kept;
        Census census(facts, kept);
        readRecords(chunk.payload, census);
        if (kept.activities == 0)
            return;
        kept.payload = std::move(chunk.payload);
        activities += kept.activities;
        newest = std::max(newest, kept.end);
        chunks.push_back(std::move(kept));
        isNew = true;
        dropOld();
    }
    Ns wantedFrom() const {
        const Ns wanted = std::chrono::nanoseconds(length.load()).count();
        return newest > kNever + wanted ? newest - wanted : kNever;
    }
    void dropOld() {
        const Ns from = wantedFrom();
        while (chunks.size() > 1 && (chunks.front().end <= from || activities > kMostLookedAt)) {
            droppedUntil = std::max(droppedUntil, chunks.front().end);
            if (activities > kMostLookedAt)
                crowdedUntil = droppedUntil;
            activities -= chunks.front().activities;
            chunks.pop_front();
        }
    }
    RecordingPtr make(Ns from, const RunControl& control) const {
        TraceBuilder builder;
        facts.passTo(builder);
        Recent recent(builder, from);
        for (const Kept& chunk : chunks) {
            control.throwIfCancelled();
            readRecords(chunk.payload, recent);
        }
        recent.finish();
        RunControl quiet;
        quiet.stop = control.stop;
        return makeRecording({builder.finish(), nullptr, {}}, "Last seconds of " + file.filename().string(),
                             true, quiet);
    }
    LastLook look(const RunControl& control) {
        LastLook look;
        look.end = read(control);
        look.on = spansIn(facts.valueOf(kSpansKey));
        look.isOn = look.on.empty() || look.on.back().end == kAlways;
        const Clock::time_point now = Clock::now();
        if (std::exchange(isNew, false)) {
            const Ns from = std::max(wantedFrom(), droppedUntil);
            look.recording = look.judged = make(from, control);
            if (const Ns on = look.on.empty() ? kNever : look.on.back().begin; on > from && on < newest)
                look.judged = make(on, control);
            look.seconds = {from, newest};
            look.isShortened = crowdedUntil > wantedFrom();
            lastNew = now;
        }
        look.quiet = std::chrono::duration_cast<std::chrono::milliseconds>(now - lastNew);
        return look;
    }

    const std::filesystem::path file;
    std::atomic<std::chrono::milliseconds> length;
    std::optional<ContainerFollower> follower;
    std::optional<FileIdentity> identity;
    TraceFacts facts;
    std::deque<Kept> chunks; ///< in order of arrival
    std::size_t activities = 0;
    Ns newest = kNever;
    Ns droppedUntil = kNever, crowdedUntil = kNever; ///< latest end of dropped data (for age, and for room)
    bool isNew = false;
    Clock::time_point lastNew = Clock::now();
};

LastSeconds::LastSeconds(std::filesystem::path file, std::chrono::milliseconds length)
    : m_state(std::make_unique<State>(std::move(file), length)) {}

LastSeconds::~LastSeconds() = default;

void LastSeconds::setLength(std::chrono::milliseconds length) {
    m_state->length = length;
}

std::chrono::milliseconds LastSeconds::length() const {
    return m_state->length;
}

const std::filesystem::path& LastSeconds::file() const {
    return m_state->file;
}

LastLook LastSeconds::look(const RunControl& control) {
    return m_state->look(control);
}

std::size_t LastSeconds::memoryBytes() const {
    std::size_t bytes = m_state->facts.memoryBytes();
    for (const Kept& chunk : m_state->chunks)
        bytes += sizeof(Kept) + chunk.payload.capacity();
    return bytes;
}

void watch(LastSeconds& seconds, const RunControl& control,
           const std::function<void(const LastLook&)>& looked, std::chrono::milliseconds every) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    for (;;) {
        control.throwIfCancelled();
        const Clock::time_point next = Clock::now() + every;
        const LastLook look = seconds.look(control);
        looked(look);
        if (look.end != FileEnd::Open)
            return;
        stopped.wait_until(lock, control.stop, next, [] { return false; });
    }
}

} // namespace olab::recording
