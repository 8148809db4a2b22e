#include <olab/io/records_only.h>

#include <olab/trace/trace_builder.h>

#include <map>

namespace olab::io {
namespace {

class RecordsOnly final : public ForwardingSink {
public:
    using ForwardingSink::add;
    RecordsOnly(RecordSink& target, const Trace& trace)
        : ForwardingSink(target) {
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            if (trace.cls(i) == ActivityClass::Api && trace.opOf(i) != kNoOp)
                m_callOf[trace.opOf(i).value] = trace.correlation(i);
    }
    /// Older recordings tie a host function to its call by the op of both alone.
    void add(const ActivityRecord& record) override {
        ActivityRecord stripped = record;
        if (const auto call = m_callOf.find(record.op.value);
            record.cls == ActivityClass::HostFn && record.correlation == 0 && call != m_callOf.end())
            stripped.correlation = call->second;
        stripped.op = kNoOp;
        target().add(stripped);
    }
    void add(const CorrelationRecord&) override {}
    void add(const EnvironmentRecord&) override {}

private:
    std::map<std::uint32_t, std::uint32_t> m_callOf; ///< per op: the correlation of its last call
};

} // namespace

RecordingData recordsOnly(const RecordingData& recording) {
    TraceBuilder builder;
    RecordsOnly sink(builder, recording.trace);
    recording.trace.replay(sink);
    RecordingData stripped;
    stripped.trace = builder.finish();
    return stripped;
}

} // namespace olab::io
