// Tables as Nsight Systems writes them, for the tests that read them.
#pragma once

#include "made_database.h"

namespace olab::test {

inline constexpr const char* kStrings =
    "CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES(1,'void ns::add<float>(float*)'),(2,'add'),"
    "(3,'cudaMemcpyAsync_v3020'),(4,'_ZN2ns3addIfEEvPf'),(5,'step');";
// Process 300 of machine 1: (1 << 48) + (300 << 24); thread 77 in it.
inline constexpr const char* kPid = "281480009875456";
inline constexpr const char* kTid = "281480009875533";
inline constexpr std::uint32_t kProcess = 300, kThread = 77;

inline std::string sql(std::string text) {
    const auto replaceAll = [&text](const std::string& word, const std::string& with) {
        for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += with.size())
            text.replace(at, word.size(), with);
    };
    replaceAll("$PID", kPid);
    replaceAll("$TID", kTid);
    return kStrings + text;
}

// Columns that never changed.
inline constexpr const char* kWork =
    "start INT, end INT, deviceId INT, contextId INT, streamId INT, correlationId INT, "
    "globalPid INT";

inline std::string kernelTable(const std::string& more = {}) {
    return std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(") + kWork +
           ", demangledName INT, shortName INT, registersPerThread INT, gridX INT, gridY INT, gridZ INT, "
           "blockX INT, "
           "blockY INT, blockZ INT, staticSharedMemory INT, dynamicSharedMemory INT" +
           more + ");";
}

inline std::string copyTable(const std::string& more = {}) {
    return std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(") + kWork +
           ", bytes INT, copyKind INT, srcKind INT, dstKind INT" + more + ");";
}

class Nsys : public Imports {};

} // namespace olab::test
