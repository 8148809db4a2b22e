#include <olab/io/records_only.h>

#include <olab/trace/trace_builder.h>

namespace olab::io {
namespace {

class RecordsOnly final : public ForwardingSink {
public:
    using ForwardingSink::add;
    using ForwardingSink::ForwardingSink;
    void add(const ActivityRecord& record) override {
        ActivityRecord stripped = record;
        stripped.op = kNoOp;
        target().add(stripped);
    }
    void add(const CorrelationRecord&) override {}
    void add(const EnvironmentRecord&) override {}
};

} // namespace

RecordingData recordsOnly(const RecordingData& recording) {
    TraceBuilder builder;
    RecordsOnly sink(builder);
    recording.trace.replay(sink);
    RecordingData stripped;
    stripped.trace = builder.finish();
    return stripped;
}

} // namespace olab::io
