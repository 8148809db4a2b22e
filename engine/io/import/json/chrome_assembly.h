// Turns all batches of a Chrome trace, in order, into records: decides what a batch could not, mostly after
// the last one has arrived. One thread at a time. Private to io.
#pragma once

#include "event_batch.h"
#include "top_level.h"

#include "../file_numbers.h"

#include <set>

namespace olab::io::json_import {

/// The offset that our own export adds to all times.
inline constexpr std::string_view kOriginKey = "overlapLabOriginNs";
/// The defects of the recording that it was made of.
inline constexpr std::string_view kDefectsKey = "overlapLabDefects";

/// The kind of file, known at the end.
enum class Flavour { Kineto, TensorFlow1, TensorFlow2, Rocprof, Chrome };

/// A thread of the file, by its texts.
struct FileThread {
    std::uint32_t pid = 0, tid = 0;
    std::uint32_t name = 0;           ///< from a thread_name event
    std::uint32_t number = kNoNumber; ///< in the trace; set on first use
    friend bool operator==(const FileThread& a, const FileThread& b) {
        return a.pid == b.pid && a.tid == b.tid;
    }
};

/// A stream of a device, as the names of processes and threads give it.
struct Lane {
    std::uint32_t device = kNoNumber, stream = kNoNumber;
};

class ChromeAssembly {
public:
    explicit ChromeAssembly(RecordSink& sink)
        : m_sink(sink) {}
    /// Takes the news of a maker, identified by its number.
    void learn(std::size_t maker, BatchNews& news);
    /// Call after all its news. Consumes the batch.
    void add(std::size_t maker, EventBatch& batch);
    /// The batch is not from the document being read: its events are only counted and refused.
    void refuseAll(const EventBatch& batch, const Reason& reason, std::uint64_t place);
    /// Events that could not be read at all, with their `places`.
    void refuse(const Reason& reason, const Refusals& places);
    /// The list had content, but no events.
    bool isNoTrace() const;
    /// The rest, once all batches have arrived.
    void finish(const TopMembers& members);

private:
    /// Numbers of one maker. Shapes get a number with their first activity: not all batches are used.
    struct Translation {
        std::vector<std::uint32_t> texts, threads, shapes;
        std::vector<Shape> made;
    };
    struct Open { ///< a begin whose end has not arrived
        Loose begin;
    };
    std::uint32_t shapeOf(Translation& known, std::uint32_t shape);
    std::uint32_t sinkShape(const Shape& shape, const Translation& known);
    void addPairedWork();
    void addStreamCall(const FileStreamCall& call);
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
    std::optional<Lane> laneOf(const Undecided& u, Flavour flavour) const;
    void findIssuer();
    void findLostWork();
    bool mayBeLostWork(const Undecided& u, Flavour flavour) const;
    bool addTensorFlowCall(const Undecided& u);
    bool isRocprof() const;
    void addRocprof(const Undecided& u);
    void addHostRange(const Undecided& u, bool ofProcess);
    std::uint32_t processOf(std::uint32_t pidText);
    void addShaped(const ActivityRecord& shared, const Undecided& u);
    void addFacts(const TopMembers& members, Flavour flavour);
    std::string toolOf(Flavour flavour, const TopMembers& members) const;
    void addDevices(const TopMembers& members);
    void addWrittenDefects(const TopMembers& members);
    void addEnvironment(const TopMembers& members);
    void addThreads();
    std::string streamTextOf(const FileThread& thread);
    void addFound();

    RecordSink& m_sink;
    std::map<std::size_t, Translation> m_makers;
    TextTable m_texts; ///< decoded
    std::vector<std::optional<TextId>> m_names;
    std::vector<FileThread> m_threads;
    IdTable m_threadIds;
    std::set<std::uint32_t> m_threadNumbers;
    std::set<std::uint32_t> m_gpuRanges;                         ///< threads that are streams of a GPU
    std::map<std::uint32_t, std::vector<Open>> m_work, m_ranges; ///< open ones, by thread
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Open>> m_async;
    std::vector<Undecided> m_undecided;
    std::vector<Undecided> m_paired;                                 ///< from a begin and an end
    std::vector<ActivityRow> m_pairedWork;                           ///< their shapes in m_workShapes
    std::vector<std::pair<std::size_t, std::uint32_t>> m_workShapes; ///< maker, and its shape
    std::uint64_t m_wrongBytes = 0, m_firstWrong = 0, m_wrongCommas = 0, m_firstWrongComma = 0;
    std::map<std::uint32_t, std::uint32_t> m_processNames; ///< by text of the pid
    std::map<std::uint32_t, std::uint32_t> m_processes;    ///< numbers in the trace
    std::optional<std::uint32_t>
        m_issuer;                       ///< TensorFlow, JAX: text of the pid of the only process with calls
    std::set<std::uint32_t> m_lostWork; ///< ... correlations of work whose lane has lost its name
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> m_shapes;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t>
        m_priorities; ///< by context and stream of the file
    imports::FileNumbers m_contextNumbers, m_streamNumbers;
    std::vector<FileStreamCall> m_lateCalls; ///< with large ids: numbers must not depend on where pieces end
    std::map<std::uint32_t, std::uint32_t> m_contexts; ///< contexts and their devices
    std::set<std::uint32_t> m_devices;
    std::set<std::uint32_t> m_recorded; ///< events with a known recording
    RefusedEvents m_refused;
    std::array<std::uint64_t, 128> m_phases{};
    std::map<std::uint32_t, std::uint64_t> m_categories;
    bool m_hasGpuCategory = false, m_hasCalls = false;
    Ns m_earliest = std::numeric_limits<Ns>::max();
};

} // namespace olab::io::json_import
