// The tables of an nvprof database with activities, each with the columns to read and the function that makes
// a record from a row. Private to io.
#pragma once

#include "table_scan.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace olab::io::imports {

constexpr std::string_view kNvprofDriverTable = "CUPTI_ACTIVITY_KIND_DRIVER"; ///< calls of the driver

/// All of them that the file has; those that cannot be read are told to `records`.
std::vector<ScannedTable> nvprofTables(SqliteDatabase& database, RecordSink& records);

// Names of CUDA calls by CUPTI's number: nvprof stores only the number.

/// "cudaMemcpyAsync"; "runtime API 9999" for an unknown one.
std::string callName(bool isDriver, std::int64_t number);

} // namespace olab::io::imports
