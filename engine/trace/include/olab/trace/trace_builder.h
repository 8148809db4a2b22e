// The single entry point for all producers of a Trace: any order, any number of records. Repairs or refuses
// invalid records and counts each as a defect; never throws on data. One thread at a time.
#pragma once

#include <olab/trace/trace.h>

#include <memory>
#include <span>

namespace olab {

/// What a builder keeps of its records.
enum class Keeping : std::uint8_t {
    Everything,
    Numbers, ///< device records only: host records are checked and counted, but not kept
};

class TraceBuilder final : public RecordSink {
public:
    explicit TraceBuilder(Keeping keeping = Keeping::Everything);
    ~TraceBuilder() override;
    TraceBuilder(TraceBuilder&&) noexcept;

    TextId intern(std::string_view text) override;
    void add(const ProcessRecord&) override;
    void add(const ClockRecord&) override;
    void add(const RankRecord&) override;
    void add(const DeviceRecord&) override;
    void add(const ContextRecord&) override;
    void add(const StreamRecord&) override;
    void add(const ActivityRecord&) override;
    void add(const CorrelationRecord&) override;
    void add(const StreamCallRecord&) override;
    void add(const SoloRecord&) override;
    void add(const WindowRecord&) override;
    void add(const EnvironmentRecord&) override;
    void add(const ProvenanceRecord&) override;
    void add(const RefusedRecord&) override;
    bool wantsDetails() const override;
    std::uint32_t shape(const ActivityRecord& shared) override;
    void addRows(std::span<const ActivityRow> rows) override;
    TraceBuilder* builderOfStretches() override { return this; }

    /// Appends the contents of other builders in order, as if they had arrived here. The others are then
    /// empty and can be reused: parallel producers use one builder per part.
    void append(std::span<TraceBuilder* const> parts);

    std::uint64_t kept(ActivityClass c) const; ///< activities of this class accepted so far
    /// Whether the second pass might refuse some records that were only counted (clocks, times centuries
    /// apart, more threads than a trace can hold): then only a builder that keeps everything gives the right
    /// counts.
    bool mustHaveEverything() const;

    /// Second pass: contexts, streams, correlations, engines, order. Leaves the builder empty.
    Trace finish();
    /// What finish() would return now; more records may follow. Temporarily takes twice the memory.
    Trace snapshot() const;

private:
    struct State;
    void takeLimited(const State& more);
    std::unique_ptr<State> m_state;
};

/// The engine that ran a record: Compute if its channel is a compute channel, else by class (CUPTI:
/// channelType decides first, then copyKind; a memset without a channel is assumed to be compute, as on every
/// GPU measured). A memset or an unspecified copy on an asynchronous copy channel ran on a copy engine that
/// moves no host data: CopyD2D. Host classes, and an unspecified copy without a channel, have None.
EngineKind engineOf(ActivityClass cls, ChannelType channel);

} // namespace olab
