#include "done_work.h"

#include <vector>

namespace olab::comparison {

namespace {

template <typename IsCounted>
DoneWork doneWork(const Trace& trace, IsCounted isCounted) {
    std::vector<std::uint64_t> counts(trace.kinds().size());
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (isCounted(i))
            ++counts[trace.kindOf(i)];
    DoneWork done;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const ActivityKind& kind = trace.kinds()[k];
        if (!isDeviceClass(kind.cls) || (kind.flags & kFlagUnified) != 0)
            continue;
        WorkOfClass& sum = done.classes[static_cast<std::size_t>(kind.cls)];
        sum.count += counts[k];
        sum.bytes += counts[k] * static_cast<std::uint64_t>(kind.bytes);
        if (kind.cls == ActivityClass::Kernel)
            done.kernels[trace.text(kind.name)] += counts[k];
    }
    return done;
}

} // namespace

DoneWork doneWorkOf(const Trace& trace) {
    return doneWork(trace, [](ActivityIndex) { return true; });
}

DoneWork doneWorkIn(const Trace& trace, Interval time) {
    return doneWork(trace, [&](ActivityIndex i) { return time.contains(trace.begin(i)); });
}

} // namespace olab::comparison
