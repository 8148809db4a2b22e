#include <olab/trace/slice.h>

#include <olab/trace/trace_builder.h>

#include <unordered_set>

namespace olab {
namespace {

/// Passes on what belongs to the slice.
class SliceFilter final : public ForwardingSink {
public:
    SliceFilter(RecordSink& target, Interval range, Ns since)
        : ForwardingSink(target)
        , m_range(range)
        , m_since(since) {}
    using ForwardingSink::add;
    void add(const ActivityRecord& r) override {
        const bool isAhead = r.cls == ActivityClass::Api && r.begin >= m_since && r.begin < m_range.begin;
        if (!isAhead && !touches({r.begin, r.end}, m_range))
            return;
        if (r.cls == ActivityClass::Api && r.correlation != 0)
            m_calls.insert(r.correlation);
        target().add(r);
    }
    void add(const StreamCallRecord& r) override { // a trace gives them after its activities
        if (m_calls.contains(r.correlation))
            target().add(r);
    }
    void add(const WindowRecord&) override {}

private:
    Interval m_range;
    Ns m_since;                                ///< calls before the range belong to it from here on
    std::unordered_set<std::uint32_t> m_calls; ///< correlations
};

} // namespace

bool touches(Interval activity, Interval range) {
    return activity.begin == activity.end ? range.contains(activity.begin)
                                          : activity.begin < range.end && activity.end > range.begin;
}

Trace sliceOf(const Trace& trace, Interval range) {
    return sliceOf(trace, range, range.begin);
}

Trace sliceOf(const Trace& trace, Interval range, Ns since) {
    TraceBuilder builder;
    SliceFilter filter(builder, range, since);
    trace.replay(filter);
    return builder.finish();
}

} // namespace olab
