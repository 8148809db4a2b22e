// Communication between devices (NCCL, RCCL) in a graph: work that waits for it now, and would not if it ran
// in parallel.
#pragma once

#include "graph/graph_sketch.h"

#include <optional>

namespace olab::replay {

/// Marks the work nodes that communicate.
void markCommunication(Sketch& sketch);
/// Needs all orders of the device. Without the cause, computation does not wait for the communication before
/// it; each keeps its own order, and communication waits for its data.
void addCommunication(Sketch& sketch);

/// Limits what computation gains by not waiting: less than the duration of the communication, which holds
/// multiprocessors, and whose last part comes after all computation that could hide it. Needs all edges.
void shareOutCommunication(Sketch& sketch);

/// Work by its end.
class EndsOfWork {
public:
    EndsOfWork(const Sketch& sketch, bool communicates);
    /// The last work of the device that ended by `time`; kNoNode: none.
    NodeId lastUntil(std::uint8_t device, Ns time) const;

private:
    std::vector<std::vector<std::pair<Ns, NodeId>>> m_ends; ///< by device, sorted
};

/// If no record says which event a stream waits for: the work that ended when waiting work began. Empty if
/// nothing communicates.
class LikelyEvents {
public:
    explicit LikelyEvents(const Sketch& sketch);
    /// From communication to computation or vice versa, on the same device, with an end at most `within`
    /// before the begin of `work`. Empty: none ended then.
    std::optional<Edge> into(NodeId work, Ns within) const;

private:
    const Sketch& m_sketch;
    EndsOfWork m_computation, m_communication;
};

} // namespace olab::replay
