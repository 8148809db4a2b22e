// What an Nsight Systems export says beside what happened: its version, when and where it was made,
// processes, devices, contexts, streams, the words of its enumerations. Private to io.
#pragma once

#include "nsys_rows.h"

#include <map>
#include <set>

namespace olab::imports {

/// Small numbers for processes, in the order in which rows name them.
class NsysProcesses {
public:
    /// Of a process or thread; 0 where the row names none.
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

/// Devices and contexts as the rows name them, by process.
using NsysPlaces = std::set<std::pair<std::uint32_t, std::uint32_t>>;

NsysKinds kindsOf(SqliteDatabase& database);
void addOrigin(SqliteDatabase& database, RecordSink& records);
/// Of those alone that rows name: others have no part in what happened.
void addProcesses(SqliteDatabase& database, const NsysProcesses& processes, RecordSink& records);
void addDevices(SqliteDatabase& database, const NsysProcesses& processes, const NsysPlaces& devices,
                RecordSink& records);
void addContexts(SqliteDatabase& database, const NsysProcesses& processes,
                 const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& deviceOfContext,
                 RecordSink& records);
void addStreams(SqliteDatabase& database, const NsysProcesses& processes, RecordSink& records);

} // namespace olab::imports
