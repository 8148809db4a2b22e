// The tables of an Nsight Systems export that hold what happened, each with the columns that are read of it
// and what makes a record of a row. Which tables and columns there are changed from version to version
// (2020 to 2026); what is missing is unknown, never assumed. Private to io.
#pragma once

#include "table_scan.h"

namespace olab::imports {

/// The enumerations of a file, where it has them; else those of all versions seen.
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

/// A table by its name, or by that of a later version of it ("NVTX_EVENTS_V2"). Empty: there is none.
std::unique_ptr<SqliteTable> tableOf(SqliteDatabase& database, std::string_view name, std::string& trouble);

/// All tables of activities that the file has, the GPU's first.
/// @param troubles what is wrong with those that cannot be read
/// Without `details` geometry, correlations and kinds of memory are not read, see RecordSink::wantsDetails().
std::vector<ScannedTable> nsysTables(SqliteDatabase& database, bool details,
                                     std::vector<std::pair<ClassMask, std::string>>& troubles);
/// Nsight's own numbers of memory kinds stand in the records until this is done.
void translateKinds(ActivityRecord& record, const NsysKinds& kinds);

} // namespace olab::imports
