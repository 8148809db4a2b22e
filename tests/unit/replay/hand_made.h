// Traces by hand, in microseconds, and the graph that replay makes of them.
#pragma once

#include "build/build_graph.h"
#include "play/replay.h"

#include <olab/analysis/analyze.h>
#include <olab/replay/ledger.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

#include <memory>

namespace olab::test {

using enum ActivityClass;
using replay::Causes;

constexpr Ns us(double time) {
    return static_cast<Ns>(time * 1000);
}

/// Where `from` and `to` are on the time line, in us.
struct Span {
    double from = 0, to = 0;
};

/// Device 0, context 1, thread 100. Each work or host function takes the correlation of the call before it
/// unless that has one already.
class HandMade {
public:
    HandMade();
    void stream(std::uint32_t number, StreamKind kind, std::uint32_t context = 1, std::int32_t priority = 0);
    /// Device 1 with context 2.
    void secondDevice();
    /// A call of `thread`; what is added next is what it issued or did.
    HandMade& call(const std::string& name, Span time, std::uint32_t thread = 100);
    /// By the call added last; its record for changes.
    ActivityRecord& work(ActivityClass cls, std::uint32_t stream, Span time, std::int64_t bytes = 0);
    ActivityRecord& lastWork() { return m_rows.back(); }
    void hostFn(std::uint32_t stream, Span time);
    void overhead(const std::string& name, Span time);
    /// That the program or its framework named.
    void range(const std::string& name, Span time);
    void says(StreamCallKind kind, std::uint32_t stream, std::uint32_t event = kNoNumber,
              std::uint64_t recording = 0);
    /// What this call did is not said by any record.
    void notIssued() { m_correlation = 0; }
    TextId text(std::string_view name) { return m_builder.intern(name); }

    /// Ends the making.
    const replay::Graph& graph();
    const analysis::Facts& facts();
    /// Length of the run without some causes, in us.
    double without(Causes causes);
    double without(analysis::LossCause cause) { return without(Causes().with(cause)); }
    double base() { return without(Causes()); }
    /// Of the n-th device work by begin, in us.
    replay::Played played(Causes causes);
    double beginOf(std::size_t work, Causes causes);
    double measured() { return static_cast<double>(graph().measured()) / 1000; }
    analysis::Ledger ledger() { return replay::makeLedger(facts()); }

    DeviceRecord device;
    std::optional<WindowRecord> window;
    bool recordsStreamCalls = true; ///< files of torch.profiler do not

private:
    TraceBuilder m_builder;
    std::vector<ActivityRecord> m_rows;
    std::uint32_t m_correlation = 0, m_correlations = 0;
    bool m_finished = false;
    Trace m_trace;
    std::shared_ptr<const LaneSet> m_lanes;
    analysis::FactsPtr m_facts;
    std::optional<replay::Graph> m_graph;
};

/// What entry a ledger has of a cause; null: none.
inline const analysis::LedgerEntry* entryOf(const analysis::Ledger& ledger, analysis::LossCause cause) {
    const auto at = std::ranges::find(ledger.entries, cause, &analysis::LedgerEntry::cause);
    return at == ledger.entries.end() ? nullptr : &*at;
}

/// measured = ideal + costs + unexplained.
inline Ns sumOf(const analysis::Ledger& ledger) {
    Ns sum = ledger.ideal + ledger.unexplained;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        sum += entry.cost;
    return sum;
}

inline std::string firstCauseOf(const analysis::Ledger& ledger) {
    if (!ledger.missing.empty())
        return "no account: " + ledger.missing;
    return ledger.entries.empty() || ledger.entries.front().cost <= 0
               ? ""
               : std::string(analysis::lossCauseId(ledger.entries.front().cause));
}

} // namespace olab::test
