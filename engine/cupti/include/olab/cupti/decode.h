// Raw CUPTI activity buffers to records. Needs libcupti loaded (to step over records) but no GPU and no
// driver.
#pragma once

#include <olab/trace/records.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace olab {

/// Which records of a buffer are wanted. Facts: devices, contexts and streams only (what came before the
/// window).
enum class DecodeMode : std::uint8_t { Facts, Everything };

/// Text behind a pointer found in a record. Live: the pointer itself; for stored buffers: a table.
using TextOf = std::function<std::string(const char*)>;
std::string liveText(const char* text);

/// NVTX ranges of which one half was seen. Halves come in any order: each thread has a buffer of its own.
struct OpenRanges {
    std::map<std::uint32_t, ActivityRecord> begun; ///< by the marker's id
    std::map<std::uint32_t, Ns> ended;
    std::uint64_t repeated = 0; ///< halves whose id another one has
};

/// The op of a node of a CUDA graph, by CUPTI's node id; kNoOp for one nobody tagged.
using OpOfNode = std::function<OpId(std::uint64_t node)>;
OpId noNodes(std::uint64_t node);

class Decoder {
public:
    explicit Decoder(RecordSink& out, TextOf textOf = liveText, OpOfNode opOfNode = noNodes);
    /// Decodes every record of the buffer; an unknown kind is refused and counted, never skipped silently.
    void decode(std::span<std::byte> buffer, DecodeMode mode);
    /// Counts what could only be known with all buffers seen (halves of ranges) and hands over the refusals.
    void finish();
    /// Records seen so far per CUPTI kind.
    const std::map<int, std::uint64_t>& seen() const { return m_seen; }

private:
    friend struct KindRows;
    RecordSink& m_out;
    TextOf m_textOf;
    OpOfNode m_opOfNode;
    std::map<int, std::uint64_t> m_seen;
    std::map<int, std::uint64_t> m_refused;
    std::map<std::uint32_t, std::string> m_apiNames; ///< by domain and cbid
    OpenRanges m_ranges;
};

/// Steps a buffer of one record of each kind followed by another and checks that libcupti moves by the size
/// of the struct we decode.
/// @returns the names of the kinds for which it does not; empty when all is well.
std::vector<std::string> strideSelfTest();

} // namespace olab
