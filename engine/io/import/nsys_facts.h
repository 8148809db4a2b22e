// The metadata of an Nsight Systems export: its version, when and where it was made, processes, devices,
// contexts, streams, the names of its enumerators. Private to io.
#pragma once

#include "file_numbers.h"
#include "nsys_rows.h"

#include <functional>
#include <map>
#include <set>

namespace olab::io::imports {

/// Small numbers for processes, in order of appearance.
class NsysProcesses {
public:
    /// For a process or thread; 0 if the row has none.
    std::uint32_t of(std::int64_t owner) {
        const std::int64_t key = owner < 0 ? -1 : processPart(owner);
        if (key == m_lastKey)
            return m_last;
        const auto at = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_numbers.size())).first;
        m_lastKey = key;
        return m_last = at->second;
    }
    const std::map<std::int64_t, std::uint32_t>& all() const { return m_numbers; } ///< by their global number

private:
    std::map<std::int64_t, std::uint32_t> m_numbers;
    std::int64_t m_lastKey = -2;
    std::uint32_t m_last = 0;
};

struct NsysNumbers {
    FileNumbers contexts, streams;
};

/// Devices and contexts used in rows, by process.
using NsysPlaces = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// What nsys itself warned of while it recorded (DIAGNOSTIC_EVENT); a warning that cannot be read is a loss.
void addWarnings(SqliteDatabase& database, RecordSink& records);
NsysKinds kindsOf(SqliteDatabase& database);
void addOrigin(SqliteDatabase& database, RecordSink& records);
/// Only those used in rows: others were not active.
void addProcesses(SqliteDatabase& database, const NsysProcesses& processes, RecordSink& records);
void addDevices(SqliteDatabase& database, const NsysProcesses& processes, const NsysPlaces& devices,
                RecordSink& records);
void addContexts(SqliteDatabase& database, const NsysProcesses& processes, NsysNumbers& numbers,
                 const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& deviceOfContext,
                 RecordSink& records);
void addStreams(SqliteDatabase& database, const NsysProcesses& processes, NsysNumbers& numbers,
                RecordSink& records);
/// Of threads with activities only: files list all threads of the machine.
void addThreadNames(SqliteDatabase& database, const std::set<std::uint32_t>& threads,
                    const std::function<std::string_view(std::int64_t)>& textOf, RecordSink& records);

} // namespace olab::io::imports
