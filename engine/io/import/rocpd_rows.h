// The tables of a rocpd database (rocprofv3, rocprof-sys): one set of them for each recording in the file,
// told apart by the end of their names ("rocpd_region_0000ddb5_8903_..."), and views over all sets without
// it. Private to io.
//
// The format: rocprofiler-sdk, source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql, schema version 3.
#pragma once

#include "table_scan.h"

#include <string>
#include <vector>

namespace olab::io::imports {

enum class RocpdKind : std::uint8_t { Kernel, Copy, Region, Sample };

/// What regions and samples can be.
inline constexpr ClassMask kRocpdHost = maskOf(ActivityClass::Api) | maskOf(ActivityClass::Nvtx);

struct RocpdTables {
    std::vector<ScannedTable> tables;
    std::vector<RocpdKind> kinds;       ///< of each table
    std::vector<std::size_t> recording; ///< ... the number of its set
};

/// The ends of the names of all sets: "" or "_" and the id of a recording.
std::vector<std::string> rocpdSets(const SqliteDatabase& database);

/// The tables of activities of these sets, those of the GPU first; those that cannot be read are told to
/// `records`. Until they are taken their rows have the numbers of the file: `device` an agent, `context` a
/// queue, `owner` a process, `domain` an event; of a copy `device` the source and `event` the target, of a
/// sample `event` its track.
RocpdTables rocpdTables(SqliteDatabase& database, const std::vector<std::string>& sets, RecordSink& records);

} // namespace olab::io::imports
