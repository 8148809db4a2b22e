// Notifies the host that a pass is done, and does the host's work: by a function on a CUDA thread, or by an
// event watched by our own thread. Each op has its own slot; the functions take no locks and make no CUDA
// call.
#pragma once

#include "event_watcher.h"
#include "mailbox.h"

#include <olab/cupti/collector.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace olab::cuda {

class HostFunctions {
public:
    /// Room for those of the window; all of the warm-up share one extra slot.
    HostFunctions(const experiment::Schedule& schedule, Calls& calls, const Devices& devices);
    HostFunctions(const HostFunctions&) = delete;
    HostFunctions& operator=(const HostFunctions&) = delete;

    /// Enqueues the host function of `op` (id kNoOp: warm-up). The device of `at` must be current. Any
    /// thread.
    cudaError_t launch(const experiment::Op& op, StreamAt at);
    /// Waits for those that do not block their stream. Call with the devices idle.
    void finish(const std::stop_token& stop);
    /// Receives the reports of finished work that `thread` issued.
    Mailbox& mailbox(std::int32_t thread) { return *m_mailboxes[static_cast<std::size_t>(thread)]; }
    /// Outputs those that ran, each with its stream. `callOf`: the correlation of the issuing call, 0: not
    /// known; `numbersOf`: the numbers of a stream in records. Call with the devices idle, after finish().
    using CallOf = std::function<std::uint32_t(OpId op)>;
    using NumbersOf = std::function<cupti::StreamNumbers(StreamAt at)>;
    void handOver(RecordSink& out, const CallOf& callOf, const NumbersOf& numbersOf) const;

private:
    struct Slot {
        OpId op = kNoOp;
        Mailbox* mailbox = nullptr;
        Ns work = 0; ///< host work to do
        Ns begin = 0, end = 0;
        std::uint32_t thread = 0;
        experiment::CallbackMethod method{};
        StreamAt at{};
    };
    static void CUDART_CB ran(void* slot);
    static void CUDART_CB called(cudaStream_t, cudaError_t, void* slot);
    Slot& slotOf(const experiment::Op& op);

    Calls& m_calls;
    std::vector<std::unique_ptr<Mailbox>> m_mailboxes; ///< per issuing thread
    std::vector<Slot> m_slots; ///< in order of their ops; never resized: CUDA holds pointers into it
    Slot m_warmup;
    std::optional<EventWatcher> m_watcher; ///< last: its thread uses the slots
};

} // namespace olab::cuda
