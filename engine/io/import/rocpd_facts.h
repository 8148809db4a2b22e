// What the rows of one recording in a rocpd database refer to: agents, kernels, events, processes, threads,
// streams, texts. Private to io.
#pragma once

#include "text_lookup.h"

#include <olab/trace/records.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace olab::io::imports {

/// Of a device or a processor: what a dispatch runs on, what a copy reads and writes.
struct RocpdAgent {
    bool isGpu = false;
    DeviceRecord record{}; ///< `device` is its place among the GPUs; kNoNumber: not told
};

struct RocpdKernel {
    std::string name;
    std::uint32_t registers = 0; ///< vector registers of a thread, of both kinds
};

/// What a region or a sample is, by the category of its event.
enum class RocpdCategory : std::uint8_t { Unknown, Call, Range };

struct RocpdEvent {
    std::int64_t id = 0;
    std::uint32_t correlation = 0; ///< that of the call which issued the work; 0: none
    RocpdCategory category = RocpdCategory::Unknown;
};

class RocpdFacts {
public:
    /// Reads all but the texts of the set whose tables end so (rocpdSets); what cannot be read is told.
    RocpdFacts(SqliteDatabase& database, const std::string& end, RecordSink& records);

    const RocpdAgent* agent(std::uint32_t id) const { return find(m_agents, std::int64_t{id}); }
    const RocpdKernel* kernel(std::int64_t id) const { return find(m_kernels, id); }
    const RocpdEvent* event(std::int64_t id) const;
    /// The text of a marker, where the event has it.
    const std::string* message(std::int64_t event) const { return find(m_messages, event); }
    /// The process and the thread of a track.
    const std::pair<std::int64_t, std::uint32_t>* track(std::uint32_t id) const {
        return find(m_tracks, std::int64_t{id});
    }
    /// As the system numbers it; else the given number.
    std::uint32_t thread(std::uint32_t id) const;
    std::uint32_t pid(std::int64_t process) const;
    std::string_view program(std::int64_t process) const;
    /// The stream of HIP that has no handle; -1: it is not told.
    std::int64_t nullStream() const { return m_nullStream; }
    TextLookup& texts() { return m_texts; }

private:
    template <typename T>
    static const T* find(const std::map<std::int64_t, T>& all, std::int64_t id) {
        const auto at = all.find(id);
        return at == all.end() ? nullptr : &at->second;
    }
    template <typename Take>
    void eachRow(std::string_view table, std::span<const std::string_view> columns, ClassMask touches,
                 Take take);
    void readAgents();
    void readKernels();
    void readEvents();
    void readPlaces();

    SqliteDatabase& m_database;
    const std::string& m_end;
    RecordSink& m_records;
    TextLookup m_texts;
    std::map<std::int64_t, RocpdAgent> m_agents;
    std::map<std::int64_t, RocpdKernel> m_kernels;
    std::vector<RocpdEvent> m_events; ///< by id
    std::map<std::int64_t, std::string> m_messages;
    std::map<std::int64_t, std::pair<std::int64_t, std::uint32_t>> m_tracks;
    std::map<std::int64_t, std::uint32_t> m_threads;
    std::map<std::int64_t, std::pair<std::uint32_t, std::string>> m_processes;
    std::int64_t m_nullStream = -1;
};

} // namespace olab::io::imports
