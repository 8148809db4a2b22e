// What CUDA's tools number in their files, in this program's words. Private to io.
#pragma once

#include <olab/trace/records.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace olab::imports {

/// CUpti_ActivityMemcpyKind, and Nsight's 11 to 13 behind it; the grouping of the counting contract.
ActivityClass copyClassOf(std::int64_t copyKind);
/// Copies that the driver makes when a page of managed memory is touched: Nsight's 11 to 13.
constexpr bool isMigration(std::int64_t copyKind) {
    return copyKind >= 11 && copyKind <= 13;
}
/// "Memcpy HtoD (Pinned -> Device)", "[CUDA memcpy HtoD]", "MEMCPYHtoD", "CopyHostToDevice".
ActivityClass copyClassOf(std::string_view name);
/// Of a name in small letters whose words follow each other without a space between: "memcpyhtod".
ActivityClass copyClassOfLetters(std::string_view letters);
/// CUpti_ActivityMemoryKind, as nvprof writes it.
MemoryKind memoryKindOf(std::int64_t cuptiKind);
/// "Pageable", "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC".
MemoryKind memoryKindOf(std::string_view name);
/// CUpti_ActivityStreamFlag.
StreamKind streamKindOf(std::int64_t flag);
/// "cudaMemcpyAsync" for "cudaMemcpyAsync_v3020".
std::string_view withoutVersion(std::string_view call);

/// A number of a record, or kNoNumber where it is none.
constexpr std::uint32_t numberOr(std::int64_t value, std::uint32_t otherwise = kNoNumber) {
    return value >= 0 && value < std::int64_t{kNoNumber} ? static_cast<std::uint32_t>(value) : otherwise;
}

/// A wait or an order among streams, by what its record names: Nsight Systems gave their types several
/// numbers over the years, so the number does not tell.
StreamCallKind syncKindOf(bool namesStream, bool namesEvent);
std::string_view syncName(StreamCallKind kind);

/// "2026-05-24T13:40:14Z" of nanoseconds since 1970; empty where that is no time of these tools.
std::string isoTimeOf(Ns sinceEpoch);

} // namespace olab::imports
