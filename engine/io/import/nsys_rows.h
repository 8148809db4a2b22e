// The tables of an Nsight Systems export with activities, each with the columns to read and the function that
// makes a record from a row. Tables and columns differ between versions (2020 to 2026); what is missing is
// unknown, never assumed. Private to io.
#pragma once

#include "table_scan.h"

namespace olab::io::imports {

/// The enumerations of a file, if it has them; else those of all known versions.
struct NsysKinds {
    static constexpr std::size_t kMost = 16;
    MemoryKind memory[kMost] = {MemoryKind::Pageable,     MemoryKind::Pinned,  MemoryKind::Device,
                                MemoryKind::Array,        MemoryKind::Managed, MemoryKind::DeviceStatic,
                                MemoryKind::ManagedStatic};
    MemoryKind of(std::int64_t kind) const {
        return kind >= 0 && kind < static_cast<std::int64_t>(kMost) ? memory[kind] : MemoryKind::Unknown;
    }
};

/// Process and thread in one number: hardware, machine (8 bits each), process, thread (24 bits each).
constexpr std::int64_t processPart(std::int64_t global) {
    return global & ~std::int64_t{0xffffff};
}
constexpr std::uint32_t pidOf(std::int64_t global) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(global) >> 24 & 0xffffff);
}
constexpr std::uint32_t threadOf(std::int64_t global) {
    return static_cast<std::uint32_t>(global & 0xffffff);
}

/// A table by its name, or by the name of a later version ("NVTX_EVENTS_V2"). Empty: there is none.
std::unique_ptr<SqliteTable> tableOf(SqliteDatabase& database, std::string_view name, std::string& trouble);

/// All tables of activities in the file, those of the GPU first.
/// @param troubles problems of those that cannot be read
std::vector<ScannedTable> nsysTables(SqliteDatabase& database,
                                     std::vector<std::pair<ClassMask, std::string>>& troubles);
/// Until this is called, records contain Nsight's own numbers of memory kinds.
void translateKinds(ActivityRecord& record, const NsysKinds& kinds);

} // namespace olab::io::imports
