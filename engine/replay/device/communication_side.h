// Communication between devices (NCCL, RCCL) in a graph: what stands behind it, and would not where it ran
// beside.
#pragma once

#include "graph/graph_sketch.h"

#include <optional>

namespace olab::replay {

/// Says of the nodes of work which of them communicate.
void markCommunication(Sketch& sketch);
/// Once all orders of the device are known: computation behind communication does not wait for it without the
/// cause. Computation and communication each keep their own order, and communication waits for its data.
void addCommunication(Sketch& sketch);

/// What is won where computation no longer waits is less than the communication takes: that holds
/// multiprocessors, and the last of several parts comes behind all computation that could hide it. Needs all
/// edges.
void shareOutCommunication(Sketch& sketch);

/// Work by its end.
class EndsOfWork {
public:
    EndsOfWork(const Sketch& sketch, bool communicates);
    /// The last of the device that ended until `time`; kNoNode: none.
    NodeId lastUntil(std::uint8_t device, Ns time) const;

private:
    std::vector<std::vector<std::pair<Ns, NodeId>>> m_ends; ///< by device, sorted
};

/// Where no record says for which event a stream waits: what ended as work began that had waited. Empty where
/// nothing communicates.
class LikelyEvents {
public:
    explicit LikelyEvents(const Sketch& sketch);
    /// Behind communication for computation, and the other way round: of the same device, with an end at most
    /// `within` before its begin. Nothing: none ended then.
    std::optional<Edge> into(NodeId work, Ns within) const;

private:
    const Sketch& m_sketch;
    EndsOfWork m_computation, m_communication;
};

} // namespace olab::replay
