#include "work_rows.h"

#include <olab/experiment/recorded_work.h>
#include <olab/trace/error.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>

namespace olab::recorded_work::detail {
namespace {

[[noreturn]] void refuseTooMany(std::size_t count, Ns fits) {
    throw Error(ErrorKind::Usage, "too-many",
                "The window holds " + std::to_string(count) +
                    " operations of the device; an experiment takes " +
                    std::to_string(experiment::kMostRecordedOps) + " at most.",
                "Take a shorter one: up to " + fixedText(static_cast<double>(fits) / 1e6, 3) +
                    " ms of this window there are that many (--to on the command line, a selection in the "
                    "timeline).");
}

} // namespace

WorkRows rowsIn(const Trace& trace, Interval window) {
    std::array<std::vector<ActivityIndex>, 256> byDevice;
    WorkRows out;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (!isDeviceClass(trace.cls(i)))
            continue;
        const Interval time = trace.time(i);
        const bool touches = time.length() == 0 ? window.contains(time.begin)
                                                : time.begin < window.end && time.end > window.begin;
        if (touches && trace.flags(i) & kFlagUnified)
            ++out.migrations;
        else if (touches)
            byDevice[trace.device(i)].push_back(i);
    }
    const auto most = std::ranges::max_element(byDevice, {}, &std::vector<ActivityIndex>::size);
    for (const auto& rows : byDevice)
        out.elsewhere += &rows == &*most ? 0 : rows.size();
    out.device = static_cast<std::uint8_t>(most - byDevice.begin());
    out.rows = std::move(*most);
    if (out.rows.empty())
        throw Error(ErrorKind::Usage, "no-work",
                    "There is no work of a device in it: nothing to make an experiment of.",
                    "Choose a recording, or a window of one, with copies, memsets or kernels.");
    if (out.rows.size() > experiment::kMostRecordedOps)
        refuseTooMany(out.rows.size(),
                      trace.begin(out.rows[experiment::kMostRecordedOps]) - trace.begin(out.rows.front()));
    return out;
}

} // namespace olab::recorded_work::detail
