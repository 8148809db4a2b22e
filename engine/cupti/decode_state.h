// The part of the decoder that rows of the kinds table may access. Private to cupti.
#pragma once

#include "driver_work.h"

#include <olab/cupti/decode.h>

#include <map>

namespace olab::cupti {

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

/// Records of what had not ended when they were given out.
struct Unfinished {
    bool leftOut = false; ///< else they are refused for their times
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

} // namespace olab::cupti
