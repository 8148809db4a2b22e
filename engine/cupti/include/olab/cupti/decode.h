// Raw CUPTI activity buffers to records. Needs libcupti (to iterate over records) but no GPU and no driver.
#pragma once

#include <olab/trace/interval_set.h>
#include <olab/trace/records.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::cupti {

/// Which records of a buffer are wanted. Facts: only devices, contexts and streams (from before the window).
enum class DecodeMode : std::uint8_t { Facts, Everything };

/// The text that a pointer in a record refers to. Live: the pointer itself; for stored buffers: a table.
using TextOf = std::function<std::string_view(const char*)>;
std::string_view liveText(const char* text);

/// The op of a CUDA graph node, by CUPTI's node id; kNoOp if it was not tagged.
using OpOfNode = std::function<OpId(std::uint64_t node)>;
OpId noNodes(std::uint64_t node);

/// The op during which a thread made a call; kNoOp: none. Empty if external correlation ids provide it.
using OpOfCall = std::function<OpId(std::uint32_t thread, Interval call)>;

/// Environment: how many driver calls arrived and were left out, as parts of calls of the runtime.
inline constexpr std::string_view kDriverCallsWithinKey = "calls.driver_within_runtime";

/// Information that is not in the records.
struct DecodeSources {
    TextOf text = liveText;
    OpOfNode opOfNode = noNodes;
};

/// One for a whole capture: keeps the names of calls, and the halves of a range, which may be in different
/// buffers, until they can be joined. One thread at a time.
class Decoder {
public:
    explicit Decoder(DecodeSources sources = {});
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Calls `tell` when the records show that device work is issued by driver API calls which are not
    /// recorded, or that they are recorded in vain (`recorded`: they are recorded initially); it returns
    /// false if they must stay. Driver calls within a runtime call are omitted, and counted under
    /// kDriverCallsWithinKey.
    void noticeDriverWork(std::function<bool(bool record)> tell, bool recorded);
    /// From now on records without an end are not activities but counted as unfinished: a forced flush
    /// delivers running activities once and never again. `queued`: also those without a begin.
    void leaveOutUnfinished(bool queued);
    /// CUPTI has just delivered all complete records, which are decoded next. May call `tell`.
    void nextTurn();
    /// Those are decoded. May call `tell`. @returns whether it is still unknown which API the program uses
    bool turnHasCome();

    /// Decoded records go to `out` until close(); it must live that long.
    void open(RecordSink& out, OpOfCall opOfCall = {});
    /// Decodes every record of the buffer; an unknown kind is refused and counted, never skipped silently.
    void decode(std::span<std::byte> buffer, DecodeMode mode);
    /// Counts what is known only after all buffers (unmatched halves of ranges), passes on the refusals, and
    /// reports how many records of each kind arrived.
    void close();
    /// As close(), but without output: `out` must not be used any more.
    void abandon();

private:
    struct State;
    void tellRefused();
    void tellSeen();
    std::unique_ptr<State> m_state;
};

/// The number of records in a buffer, of any kind. Does not throw.
std::uint64_t countRecords(std::byte* buffer, std::size_t valid) noexcept;

/// Steps a buffer of one record of each kind followed by another and checks that libcupti advances by the
/// size of the struct we decode.
/// @returns the names of the kinds for which it does not; empty if all do.
std::vector<std::string> strideSelfTest();

/// Raw CUPTI buffers in a file, for fixtures: each chunk holds one buffer and the texts that its pointers
/// refer to, so that another process can decode it again.
class RawBufferFile {
public:
    explicit RawBufferFile(const std::filesystem::path& path); ///< @throws Error when it cannot be written
    ~RawBufferFile();
    void append(std::span<std::byte> buffer, DecodeMode mode);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Decodes into `out` a file written by RawBufferFile. @throws Error if libcupti cannot be loaded or the file
/// cannot be read.
void decodeRawBuffers(const std::filesystem::path& path, RecordSink& out);

} // namespace olab::cupti
