// A recorded run as a graph: what has to happen before what, and how long each step takes by itself. Built
// from records alone; replay.h runs it, with some causes of waiting taken out. Times are ns on the time line
// of the recording.
#pragma once

#include <olab/analysis/ledger.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace olab::replay {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffu;

enum class NodeKind : std::uint8_t {
    Start,  ///< the opening of the gate, or a moment in which the device was empty
    Call,   ///< an API call, but for the time in which it waited for device work
    Return, ///< of a call that waited
    Work,   ///< of a device
    HostFn
};

/// Steps of one kind have the usual latencies of their kind: a class of activities, but for pageable copies.
inline constexpr std::size_t kLatencyKinds = kClassCount + 2;

/// What a step needs beside the end of those before it.
enum class Unit : std::uint8_t {
    None,
    CopyEngine,
    Sms,
    Worker ///< the thread that calls host functions: one after the other, in the order in which they may be
           ///< called
};

/// A set of causes.
class Causes {
public:
    constexpr Causes() = default;
    constexpr explicit Causes(std::uint64_t bits)
        : m_bits(bits) {}
    static constexpr Causes all() { return Causes(~std::uint64_t{1}); } // None can not be taken out
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

/// Before all times.
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
    std::uint8_t engine = 0; ///< CopyEngine: its number within the device; Worker: its number
    /// Of `work` and `extra` the first is what it takes; `extra`, which may be below 0, falls away with its
    /// cause.
    analysis::LossCause extraCause = analysis::LossCause::None;
    analysis::LossCause fixedBy =
        analysis::LossCause::None; ///< without this cause it takes `fixed` instead of `work`
    bool communicates = false;     ///< Work: a kernel of NCCL or RCCL
    std::int32_t priority = 0;     ///< of its stream: the lower number goes first
    bool goesBetween = false;      ///< Work: small; without `priority` it waits for no room
    float share = 0;               ///< Sms: of the device; 0: not known, it fits in
    Ns work = 0, extra = 0, fixed = 0;
    Ns lead = 0; ///< Worker: from when it could have called it to when it did
    Ns held = 0; ///< Work: how long it waited though no record says until when; the model keeps it
    analysis::LossCause heldBy = analysis::LossCause::Unexplained; ///< without it `held` is gone
    Ns earliest = kNever; ///< nothing is known that it could have waited for before

    Ns length(Causes without) const {
        const Ns base = without.has(fixedBy) ? fixed : work;
        return std::max<Ns>(0, base + (without.has(extraCause) ? 0 : extra));
    }
};

/// A grid of this share of the device leaves no room to others.
inline constexpr float kFullShare = 0.9F;

/// Why one step comes behind another; each kind has its own latency.
enum class EdgeKind : std::uint8_t {
    Stream, ///< the order of a stream
    Issue,  ///< a call and what it issues; counts from the call's begin
    Thread, ///< a call and the next one of its thread, with the time between them
    Wait,   ///< what a call waited for
    Event,
    NullStream,
    Dispatch, ///< into a host function
    HostFn,   ///< out of a host function
    Channel,  ///< of streams that share a hardware queue; counts from the begin
    Gate,
    Engine ///< no edge: from the end of what its engine did before
};
inline constexpr std::size_t kEdgeKinds = 11;

struct Edge {
    NodeId from = 0, to = 0;
    Ns latency = 0;
    EdgeKind kind{};
    analysis::LossCause cause = analysis::LossCause::None; ///< without it the edge is not there
    analysis::LossCause latencyCause =
        analysis::LossCause::None; ///< without it the latency is `fixedLatency`
    bool fromBegin = false;        ///< counts from the begin of `from`, not its end
    bool ownLatency = false;       ///< `latency` was measured here; else it is the usual one of its kind
    bool isInferred = false;       ///< no record says that it is there: it was told from times
    Ns fixedLatency = 0;
};
analysis::RestsOn restsOn(const Edge& edge);

/// Which estimate of what the profiler of another program took.
enum class RecorderShare : std::uint8_t { Likely, AtMost };

/// How much longer a copy takes while the other direction copies too: 0.12 is 12 %.
struct Link {
    double h2d = 0, d2h = 0;
};

/// A latency that was learned from the recording, or is the usual one.
struct Timing {
    EdgeKind kind{};
    std::size_t of = 0; ///< a latency kind: that of the step that comes behind
    Ns usual = 0;
    std::size_t samples = 0; ///< 0: none; `usual` is what is known of other recordings
};

struct Graph {
    bool recorderInDoubt = false;  ///< AtMost takes out more than Likely
    bool recordsOperators = false; ///< by a profiler that records each operator of a framework too
    std::vector<Node> nodes;
    std::vector<Edge> edges;          ///< sorted by `from` once it is built
    std::vector<std::uint32_t> first; ///< per node, and one past the end, into edges
    std::vector<NodeId> workOf;       ///< per number of device work
    std::vector<Ns>
        engineLatency;       ///< per latency kind: from the end of what its engine did before to its begin
    std::vector<Link> links; ///< per device
    std::vector<Timing> timings;
    std::size_t devices = 0;
    std::size_t enginesPerDevice = 0;
    std::size_t workers = 0;   ///< that call host functions
    Ns start = 0, end = 0;     ///< of the run that is accounted for
    Ns tail = 0;               ///< from the end of the last step to `end`
    bool endsWithWork = false; ///< a call or host function after all work of devices is no part of the run
    Causes present;            ///< that some node or edge has
    std::vector<analysis::OwnedWait> waits; ///< per number of device work, in the recording
    bool communicates = false;              ///< some node does
    bool isPart = false; ///< `start` and `end` lie within a run that goes on: what crosses them is cut
    Ns measured() const { return end - start; }
    Interval cut(Interval time) const {
        if (!isPart)
            return time;
        const Ns begin = std::clamp(time.begin, start, end);
        return {begin, std::clamp(time.end, begin, end)};
    }
};

/// Stable, by counting: graphs have millions of edges.
void sortEdges(std::vector<Edge>& edges, NodeId Edge::*by, std::size_t nodes);
/// Sorts the edges by what they lead from, and says where those of each node begin.
void index(Graph& graph);

} // namespace olab::replay
