// Raw CUPTI activity buffers to records. Needs libcupti loaded (to step over records) but no GPU and no
// driver.
#pragma once

#include <olab/trace/interval_set.h>
#include <olab/trace/records.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab {

/// Which records of a buffer are wanted. Facts: devices, contexts and streams only (what came before the
/// window).
enum class DecodeMode : std::uint8_t { Facts, Everything };

/// Text behind a pointer found in a record. Live: the pointer itself; for stored buffers: a table.
using TextOf = std::function<std::string_view(const char*)>;
std::string_view liveText(const char* text);

/// The op of a node of a CUDA graph, by CUPTI's node id; kNoOp for one nobody tagged.
using OpOfNode = std::function<OpId(std::uint64_t node)>;
OpId noNodes(std::uint64_t node);

/// The op during which a thread made a call; kNoOp: none. Empty where external correlation ids tell it.
using OpOfCall = std::function<OpId(std::uint32_t thread, Interval call)>;

/// What records do not say themselves.
struct DecodeSources {
    TextOf text = liveText;
    OpOfNode opOfNode = noNodes;
};

/// One for a whole capture: names of calls stay known, and the halves of a range, which may lie in different
/// buffers, are held until they meet. One thread at a time.
class Decoder {
public:
    explicit Decoder(DecodeSources sources = {});
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// What is decoded goes to `out` until close(); it must live as long.
    void open(RecordSink& out, OpOfCall opOfCall = {});
    /// Decodes every record of the buffer; an unknown kind is refused and counted, never skipped silently.
    void decode(std::span<std::byte> buffer, DecodeMode mode);
    /// Counts what could only be known with all buffers seen (halves of ranges), hands over the refusals, and
    /// says how many records of each kind came.
    void close();
    /// As close(), but says nothing: `out` is not to be used any more.
    void abandon();

private:
    struct State;
    void tellRefused();
    void tellSeen();
    std::unique_ptr<State> m_state;
};

/// Records in a buffer, of any kind. Throws nothing.
std::uint64_t countRecords(std::byte* buffer, std::size_t valid) noexcept;

/// Steps a buffer of one record of each kind followed by another and checks that libcupti moves by the size
/// of the struct we decode.
/// @returns the names of the kinds for which it does not; empty when all is well.
std::vector<std::string> strideSelfTest();

} // namespace olab
