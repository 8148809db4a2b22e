// Translates the enumerations of CUDA's tools to those of this program. Private to io.
#pragma once

#include <olab/trace/records.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace olab::io::imports {

/// CUpti_ActivityMemcpyKind, extended by Nsight's 11 to 13; the grouping of the counting contract.
ActivityClass copyClassOf(std::int64_t copyKind);
/// Copies that the driver makes when a page of managed memory is touched: Nsight's 11 to 13.
constexpr bool isMigration(std::int64_t copyKind) {
    return copyKind >= 11 && copyKind <= 13;
}
/// "Memcpy HtoD (Pinned -> Device)", "[CUDA memcpy HtoD]", "MEMCPYHtoD", "CopyHostToDevice".
ActivityClass copyClassOf(std::string_view name);
/// For a lower-case name without spaces: "memcpyhtod".
ActivityClass copyClassOfLetters(std::string_view letters);
/// CUpti_ActivityMemoryKind, as nvprof writes it.
MemoryKind memoryKindOf(std::int64_t cuptiKind);
/// "Pageable", "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC".
MemoryKind memoryKindOf(std::string_view name);
/// CUpti_ActivityStreamFlag.
StreamKind streamKindOf(std::int64_t flag);
/// "cudaMemcpyAsync" for "cudaMemcpyAsync_v3020".
std::string_view withoutVersion(std::string_view call);

/// A number of a record, or kNoNumber if it has none.
constexpr std::uint32_t numberOr(std::int64_t value, std::uint32_t otherwise = kNoNumber) {
    return value >= 0 && value < std::int64_t{kNoNumber} ? static_cast<std::uint32_t>(value) : otherwise;
}

/// A wait or an ordering of streams, by the fields of its record: Nsight Systems changed the numbers of these
/// types over the years, so they are ambiguous.
StreamCallKind syncKindOf(bool namesStream, bool namesEvent);
std::string_view syncName(StreamCallKind kind);

/// "2026-05-24T13:40:14Z" from nanoseconds since 1970; empty if implausible for these tools.
std::string isoTimeOf(Ns sinceEpoch);

} // namespace olab::io::imports
