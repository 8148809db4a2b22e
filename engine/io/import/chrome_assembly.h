// All batches of a Chrome trace, in their order, into records: what a batch could not decide is decided here,
// most of it when the last one has come. One thread at a time. Private to io.
#pragma once

#include "event_batch.h"
#include "top_level.h"

#include <set>

namespace olab::json_import {

/// What our own export adds to all times.
inline constexpr std::string_view kOriginKey = "overlapLabOriginNs";

/// What the file was, once all of it was seen.
enum class Flavour { Kineto, TensorFlow1, TensorFlow2, Chrome };

/// A thread of the file, by its texts.
struct FileThread {
    std::uint32_t pid = 0, tid = 0;
    std::uint32_t name = 0;           ///< what a thread_name event says
    std::uint32_t number = kNoNumber; ///< in the trace; not there before it is used
    friend bool operator==(const FileThread& a, const FileThread& b) {
        return a.pid == b.pid && a.tid == b.tid;
    }
};

class ChromeAssembly {
public:
    explicit ChromeAssembly(RecordSink& sink)
        : m_sink(sink) {}
    /// What a maker, which has a number, has new.
    void learn(std::size_t maker, BatchNews& news);
    /// Once all its news were told. The batch is used up.
    void add(std::size_t maker, EventBatch& batch);
    /// The batch is of no document that is read: its events are only counted, and refused.
    void refuseAll(const EventBatch& batch, const Reason& reason, std::uint64_t place);
    /// What could not be read at all: `places` where.
    void refuse(const Reason& reason, const Refusals& places);
    /// Something was in the list, and nothing of it was an event.
    bool isNoTrace() const;
    /// The rest, once all batches have come.
    void finish(const TopMembers& members);

private:
    /// Of one maker's numbers. Shapes get theirs when the first activity has them: not all batches are used.
    struct Translation {
        std::vector<std::uint32_t> texts, threads, shapes;
        std::vector<Shape> made;
    };
    struct Open { ///< a begin whose end has not come
        Loose begin;
    };
    std::uint32_t shapeOf(Translation& known, std::uint32_t shape);
    std::uint32_t sinkShape(const Shape& shape, const Translation& known);
    void addPairedWork();
    void addDefects();
    void addLoose(Loose loose);
    void addMetadata(const Loose& loose);
    void begin(std::vector<Open>& stack, const Loose& loose);
    void end(std::vector<Open>& stack, const Loose& loose);
    void addRange(const Loose& from, Ns begin, Ns end);
    void refuseOpen();
    TextId name(std::uint32_t text);
    std::uint32_t threadNumber(std::uint32_t thread);
    std::int64_t numberIn(std::uint32_t text) const;

    Flavour flavour(const TopMembers& members) const;
    void addUndecided(Flavour flavour);
    bool addTensorFlow(const Undecided& u, Flavour flavour);
    void addHostRange(const Undecided& u, bool ofProcess);
    std::uint32_t processOf(std::uint32_t pidText);
    void addShaped(const ActivityRecord& shared, const Undecided& u);
    void addFacts(const TopMembers& members, Flavour flavour);
    void addDevices(const TopMembers& members);
    void addEnvironment(const TopMembers& members);
    void addFound();

    RecordSink& m_sink;
    std::map<std::size_t, Translation> m_makers;
    TextTable m_texts; ///< decoded
    std::vector<std::optional<TextId>> m_names;
    std::vector<FileThread> m_threads;
    IdTable m_threadIds;
    std::set<std::uint32_t> m_threadNumbers;
    std::map<std::uint32_t, std::vector<Open>> m_work, m_ranges; ///< open ones, by thread
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Open>> m_async;
    std::vector<Undecided> m_undecided;
    std::vector<Undecided> m_paired;                                 ///< of a begin and an end
    std::vector<ActivityRow> m_pairedWork;                           ///< their shapes in m_workShapes
    std::vector<std::pair<std::size_t, std::uint32_t>> m_workShapes; ///< maker, and its shape
    std::uint64_t m_wrongBytes = 0, m_firstWrong = 0;
    std::map<std::uint32_t, std::uint32_t> m_processNames; ///< by text of the pid
    std::map<std::uint32_t, std::uint32_t> m_processes;    ///< numbers in the trace
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> m_shapes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> m_priorities;
    std::map<std::uint32_t, std::uint32_t> m_contexts; ///< and their devices
    std::set<std::uint32_t> m_devices;
    std::set<std::uint32_t> m_recorded; ///< events whose recording was told
    RefusedEvents m_refused;
    std::array<std::uint64_t, 128> m_phases{};
    std::map<std::uint32_t, std::uint64_t> m_categories;
    bool m_hasGpuCategory = false, m_hasCalls = false;
    Ns m_earliest = std::numeric_limits<Ns>::max();
};

} // namespace olab::json_import
