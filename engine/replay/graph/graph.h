// A recorded run as a graph: which steps must happen before which, and how long each takes by itself. Built
// from records alone; replay.h runs it without some causes of waiting. Times are ns on the time axis of the
// recording.
#pragma once

#include <olab/analysis/ledger.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace olab::replay {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffu;

enum class NodeKind : std::uint8_t {
    Start,  ///< the opening of the gate, or a moment when the device was empty
    Call,   ///< an API call, without the time in which it waited for device work
    Return, ///< the return of a call that waited
    Work,   ///< of a device
    HostFn
};

/// Steps of one kind share their usual latencies. The kinds are the classes of activities, with pageable
/// copies apart.
inline constexpr std::size_t kLatencyKinds = kClassCount + 2;

/// What a step needs besides the end of its predecessors.
enum class Unit : std::uint8_t {
    None,
    CopyEngine,
    Sms,
    Worker ///< the thread that calls host functions: one at a time, in the order in which they become ready
};

/// A set of causes.
class Causes {
public:
    constexpr Causes() = default;
    constexpr explicit Causes(std::uint64_t bits)
        : m_bits(bits) {}
    static constexpr Causes all() { return Causes(~std::uint64_t{1}); } // None cannot be removed
    constexpr bool has(analysis::LossCause cause) const {
        return (m_bits >> static_cast<unsigned>(cause) & 1u) != 0;
    }
    constexpr Causes with(analysis::LossCause cause) const {
        return Causes(m_bits | std::uint64_t{1} << static_cast<unsigned>(cause));
    }
    constexpr bool empty() const { return m_bits == 0; }

private:
    std::uint64_t m_bits = 0;
    static_assert(analysis::kLossCauses <= 64);
};

/// Earlier than all times.
inline constexpr Ns kNever = std::numeric_limits<Ns>::min();

struct Node {
    Interval measured;
    ActivityIndex row = kNoActivity;
    NodeKind kind = NodeKind::Call;
    Unit unit = Unit::None;
    ActivityClass cls{};
    std::uint8_t latencyKind = 0;
    std::uint8_t device = 0;
    std::uint16_t queue = 0; ///< Work and HostFn: the stream; calls: the thread
    std::uint16_t channel = 0xffff;
    std::uint8_t engine = 0; ///< CopyEngine: its number on the device; Worker: its number
    /// A step takes `work` plus `extra`; `extra`, which may be negative, is removed with its cause.
    analysis::LossCause extraCause = analysis::LossCause::None;
    analysis::LossCause fixedBy =
        analysis::LossCause::None; ///< without this cause the step takes `fixed` instead of `work`
    bool communicates = false;     ///< Work: a kernel of NCCL or RCCL
    std::int32_t priority = 0;     ///< of its stream: the lower number goes first
    bool goesBetween = false;      ///< Work: small; without the cause `priority` it does not wait for room
    float share = 0;               ///< Sms: of the device; 0: unknown, it always fits
    Ns work = 0, extra = 0, fixed = 0;
    Ns lead = 0; ///< Worker: from when it could have called the function to when it did
    Ns held = 0; ///< Work: a wait that no record explains; the model keeps it
    analysis::LossCause heldBy = analysis::LossCause::Unexplained; ///< without this cause `held` is removed
    Ns earliest = kNever;                                          ///< used if no predecessor is known

    Ns length(Causes without) const {
        const Ns base = without.has(fixedBy) ? fixed : work;
        return std::max<Ns>(0, base + (without.has(extraCause) ? 0 : extra));
    }
};

/// A grid with this share of the device leaves no room to others.
inline constexpr float kFullShare = 0.9F;

/// Why a step follows another; each kind has its own latency.
enum class EdgeKind : std::uint8_t {
    Stream, ///< the order of a stream
    Issue,  ///< from a call to the work it issues; counts from the call's begin
    Thread, ///< from a call to the next one of its thread, with the time between them
    Wait,   ///< from what a call waited for
    Event,
    NullStream,
    Dispatch, ///< into a host function
    HostFn,   ///< out of a host function
    Channel,  ///< between streams that share a hardware queue; counts from the begin
    Gate,
    Engine ///< not an edge: the latency since the engine's previous work
};
inline constexpr std::size_t kEdgeKinds = 11;

struct Edge {
    NodeId from = 0, to = 0;
    Ns latency = 0;
    EdgeKind kind{};
    analysis::LossCause cause = analysis::LossCause::None; ///< without this cause the edge is removed
    analysis::LossCause latencyCause =
        analysis::LossCause::None; ///< without this cause the latency is `fixedLatency`
    bool fromBegin = false;        ///< counts from the begin of `from`, not its end
    bool ownLatency = false; ///< `latency` was measured here; otherwise the usual one of its kind applies
    bool isInferred = false; ///< derived from times, without a record
    Ns fixedLatency = 0;
};
analysis::RestsOn restsOn(const Edge& edge);

/// Which estimate of the profiler's overhead in another program to use.
enum class RecorderShare : std::uint8_t { Likely, AtMost };

/// How much longer a copy takes while the opposite direction is busy: 0.12 is 12 %.
struct Link {
    double h2d = 0, d2h = 0;
};

/// A latency learned from the recording, or the usual one.
struct Timing {
    EdgeKind kind{};
    std::size_t of = 0; ///< latency kind of the following step
    Ns usual = 0;
    std::size_t samples = 0; ///< 0: none; then `usual` comes from other recordings
};

struct Graph {
    bool recorderInDoubt = false;  ///< AtMost removes more than Likely
    bool recordsOperators = false; ///< the profiler also records each operator of a framework
    std::vector<Node> nodes;
    std::vector<Edge> edges;          ///< sorted by `from` once built
    std::vector<std::uint32_t> first; ///< per node, and one past the end: index into edges
    std::vector<NodeId> workOf;       ///< per number of device work
    std::vector<Ns>
        engineLatency;       ///< per latency kind: from the end of the engine's previous work to the begin
    std::vector<Link> links; ///< per device
    std::vector<Timing> timings;
    std::size_t devices = 0;
    std::size_t enginesPerDevice = 0;
    std::size_t workers = 0;   ///< threads that call host functions
    Ns start = 0, end = 0;     ///< of the accounted run
    Ns tail = 0;               ///< from the end of the last step to `end`
    bool endsWithWork = false; ///< calls and host functions after all device work are not part of the run
    Causes present;            ///< all causes of nodes and edges
    std::vector<analysis::OwnedWait> waits; ///< per number of device work, as recorded
    bool communicates = false;              ///< some node communicates
    bool isPart = false; ///< `start` and `end` lie within a longer run: whatever crosses them is cut
    Ns measured() const { return end - start; }
    Interval cut(Interval time) const {
        if (!isPart)
            return time;
        const Ns begin = std::clamp(time.begin, start, end);
        return {begin, std::clamp(time.end, begin, end)};
    }
};

/// A stable counting sort, because graphs have millions of edges.
void sortEdges(std::vector<Edge>& edges, NodeId Edge::*by, std::size_t nodes);
/// Sorts the edges by `from` and sets `first`.
void index(Graph& graph);

} // namespace olab::replay
