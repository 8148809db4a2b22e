#include "done_work.h"

#include <vector>

namespace olab::comparison {

DoneWork doneWorkOf(const Trace& trace) {
    std::vector<std::uint64_t> counts(trace.kinds().size());
    for (ActivityIndex i = 0; i < trace.size(); ++i)
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

} // namespace olab::comparison
