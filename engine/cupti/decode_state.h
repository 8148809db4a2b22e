// What decodes records: the kinds table, and the state that its rows may access. Private to cupti.
#pragma once

#include "records.h"

#include <olab/cupti/decode.h>
#include <olab/trace/defect.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace olab::cupti {

/// Notices that a program issues device work by calls that are not recorded: those of the driver API, as JAX,
/// CuPy and Triton make them. Such work has the correlation id of no recorded call. The record of a call may
/// come after that of its work, from another buffer: work is judged only when all calls made before it was
/// seen must have arrived. Constant time per record. One thread at a time.
class DriverWork {
public:
    static constexpr std::uint32_t kEnough = 16; ///< works without a call: then it is no accident
    static constexpr std::uint32_t kTried = 512; ///< works with a call of the runtime: it has no other calls
    static constexpr std::uint32_t kTurns = 3;

    /// `tell` is called from nextTurn() and turnHasCome(): whether driver calls should be recorded from now
    /// on. It returns false if they must stay. `recorded`: they are recorded initially, so that a short
    /// program loses none; they are switched off if the program proves to use only the runtime.
    explicit DriverWork(std::function<bool(bool record)> tell, bool recorded = false);
    void noteCall(std::uint32_t correlation); ///< a call of the runtime API
    void noteWork(std::uint32_t correlation); ///< not for nodes of a graph
    /// Whether it is one of the latest ids passed to noteCall().
    bool isRuntimeCall(std::uint32_t correlation) const;
    /// CUPTI has just delivered all complete records, which are decoded next.
    void nextTurn();
    /// Those are decoded. May call `tell`, because driver calls recorded in vain should no longer cost
    /// anything.
    void turnHasCome();
    /// Whether they are recorded and it is still unknown whether the program makes any itself.
    bool isOpen() const { return m_recorded && !m_sure; }

private:
    /// The latest ids with the same remainder; 0: none.
    struct Slot {
        std::uint32_t call = 0;
        std::uint32_t work = 0; ///< no call seen yet
        std::uint32_t turn = 0; ///< when `work` was seen
    };
    static constexpr std::size_t kSlots = 65536; ///< about the calls in a buffer
    std::uint32_t& openOf(std::uint32_t turn);
    void forgetWork(Slot& slot);
    void giveUp();

    const std::function<bool(bool)> m_tell;
    std::vector<Slot> m_slots = std::vector<Slot>(kSlots);
    std::uint32_t m_turn = 0;
    // Works without a call that were seen in this turn, in the previous one, and earlier.
    std::uint32_t m_new = 0, m_last = 0, m_old = 0;
    std::uint32_t m_byRuntime = 0;
    bool m_recorded = false;
    bool m_sure = false; ///< it uses the driver, or may do so later: final
};

// The part of the decoder that rows of the kinds table may access.

/// NVTX ranges with only one half seen so far. Halves arrive in any order: each thread has its own buffer.
struct OpenRanges {
    std::map<std::uint32_t, ActivityRecord> begun; ///< by the marker's id
    std::map<std::uint32_t, Ns> ended;
    std::uint64_t repeated = 0; ///< halves whose id is already in use
    std::uint64_t halves() const { return begun.size() + ended.size() + repeated; }
};

/// Names of API calls, each queried once; their ids in a sink are cached until the next sink.
class CallNames {
public:
    TextId idOf(bool driver, std::uint32_t cbid, RecordSink& out);
    void forgetSink() { ++m_sink; }

private:
    struct Call {
        std::string name; ///< empty: not queried yet
        TextId id{};
        std::uint32_t sink = 0; ///< whose id that is
    };
    std::vector<Call> m_calls[2]; ///< by number; for the runtime and for the driver, which both count from 0
    std::uint32_t m_sink = 1;
};

/// Counts of records that were delivered before their activity ended.
struct Unfinished {
    bool leftOut = false; ///< otherwise they are refused because of their times
    bool queued = false;  ///< also those that had not begun
    std::uint64_t count = 0;
    bool leavesOut(std::uint64_t start, std::uint64_t end) {
        const bool is = leftOut && end == 0 && (start != 0 || queued);
        count += is ? 1 : 0;
        return is;
    }
};

struct DecodeContext {
    RecordSink& out;
    const DecodeSources& sources;
    const OpOfCall& opOfCall;
    CallNames& callNames;
    OpenRanges& ranges;
    DriverWork* driverWork; ///< null: nobody wants to know
    Unfinished& unfinished;
};

/// The kinds table: one row per CUPTI activity kind drives enabling, the stride self-test, decoding and the
/// keeping of raw buffers, so that the three can never drift apart. KIND_KERNEL serialises all kernels: it
/// replaces CONCURRENT_KERNEL only to demonstrate that.
struct KindRow {
    CUpti_ActivityKind kind;
    const char* name;
    std::size_t size;  ///< of the struct we decode
    bool fact;         ///< device, context, stream: also wanted from before the window
    ClassMask classes; ///< affected classes if such records are lost
    void (*decode)(DecodeContext&, const CUpti_Activity*);
    const char* (*text)(const CUpti_Activity*); ///< the pointer to a text in the record; null: none
    bool onRequest =
        false; ///< not enabled with the others, but where a run needs it, whole or for some calls
};
std::span<const KindRow> kindsTable();
const KindRow* findKind(CUpti_ActivityKind kind); ///< null: a kind we do not know
std::size_t indexOf(const KindRow& row);          ///< in the table

} // namespace olab::cupti
