// The virtual clock: events in order of time, and of insertion among equal times, so that a run is the same
// every time.
#pragma once

#include <olab/trace/types.h>

#include <queue>
#include <vector>

namespace olab::sim {

enum class EventKind : std::uint8_t {
    HostStep,    ///< thread `subject` proceeds to its next call
    HostEnqueue, ///< the current call of thread `subject` submits its op
    LockGranted, ///< `subject`, which waited for the driver's lock, has it
    GateTimer,   ///< the call of op `subject` has lasted long enough to open the gate
    BatchTimer,  ///< the first op of a batch has waited long enough
    Ready,       ///< nothing before op `subject` in its stream blocks it any more
    Granted,     ///< op `subject`, which waited for its turn, may go
    Called,      ///< the system has passed host function op `subject` to its thread
    Dispatched,  ///< op `subject` has left its queue: a copy started, all blocks of a grid are on SMs
    WaveDone,    ///< wave `subject` of some grid's blocks finished
    MemsetDone,  ///< memset slot `subject`
    FlowDone,    ///< the data of flow `subject` has crossed the bus
    CopyDone,    ///< the copy on engine `subject`, which uses no bus
    HostFnDone,  ///< host function op `subject`
    Watched,     ///< the watching thread has noticed that op `subject` is reached
    WatchDone,   ///< the watching thread has done its host work
    EventDone,   ///< event record op `subject`
    Staged,      ///< the pageable source of op `subject` has been read
};

struct Event {
    Ns time = 0;
    std::uint64_t sequence = 0;
    std::uint32_t subject = 0;
    std::uint32_t generation = 0; ///< for events that can be rescheduled: an old one is stale
    EventKind kind{};
};

class EventQueue {
public:
    explicit EventQueue(Ns start)
        : m_now(start) {}
    Ns now() const { return m_now; }
    /// @throws Error kind Usage (too-long) for a time that no run reaches
    void at(Ns time, EventKind kind, std::uint32_t subject, std::uint32_t generation = 0);
    bool empty() const { return m_heap.empty(); }
    /// Takes the next event and moves the clock to it.
    Event pop();

private:
    struct Later {
        bool operator()(const Event& a, const Event& b) const {
            return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
        }
    };
    std::priority_queue<Event, std::vector<Event>, Later> m_heap;
    std::uint64_t m_sequence = 0;
    Ns m_now;
};

} // namespace olab::sim
