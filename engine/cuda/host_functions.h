// What runs on CUDA's host-function thread: stamps the time, notes the thread, signals an eventfd. Each op
// has a slot of its own, so nothing is locked and no CUDA call is made.
#pragma once

#include "check.h"

#include <olab/trace/records.h>

#include <vector>

namespace olab {

class HostFunctions {
public:
    /// Room for `count` functions in a window; warm-up ones share one slot more.
    explicit HostFunctions(std::size_t count);
    ~HostFunctions();
    HostFunctions(const HostFunctions&) = delete;
    HostFunctions& operator=(const HostFunctions&) = delete;

    /// Enqueues one for `op` (kNoOp: warm-up).
    void launch(OpId op, cudaStream_t stream);
    /// Forgets what ran so far.
    void clear();
    /// Hands over those that ran since clear(). Call with the device idle.
    void handOver(RecordSink& out) const;
    int eventDescriptor() const { return m_event; }

private:
    struct Slot {
        HostFunctions* owner = nullptr;
        OpId op = kNoOp;
        Ns begin = 0, end = 0;
        std::uint32_t thread = 0;
    };
    static void CUDART_CB ran(void* slot);
    std::vector<Slot> m_slots; ///< never resized: CUDA holds pointers into it
    std::size_t m_used = 0;
    Slot m_warmup;
    int m_event = -1;
};

} // namespace olab
