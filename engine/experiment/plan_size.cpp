#include "plan_size.h"

#include <olab/experiment/option_table.h>

#include <algorithm>

namespace olab {
namespace detail {

std::int64_t passCount(const Experiment& e) {
    return e.order == IssueOrder::Depth ? std::int64_t{e.streams} * e.iterations : e.iterations;
}

std::int64_t plannedOps(const Experiment& e) {
    const auto steps =
        std::count_if(kSteps.begin(), kSteps.end(), [&](const Step& s) { return e.*s.enabled; });
    const std::int64_t nullOps = e.nullOp == NullOp::Off ? 0 : passCount(e) - 1;
    return std::int64_t{e.streams} * e.iterations * steps + nullOps;
}

BufferBytes bufferBytes(const Experiment& e) {
    BufferBytes sum;
    for (const Step& step : kSteps) {
        if (!(e.*step.enabled) || !step.bytes)
            continue;
        const std::int64_t bytes = e.*step.bytes * e.streams;
        sum.device += bytes;
        sum.host += step.hostBuffer ? bytes : 0;
    }
    sum.device += e.nullOp == NullOp::Memset ? kNullMemsetBytes : 0;
    return sum;
}

} // namespace detail

namespace {

std::string nothingToRun(const Experiment& e) {
    if (e.h2d || e.memset || e.kernel || e.d2h)
        return {};
    return "There is nothing to run on the device: h2d, memset, kernel and d2h are all off; turn at least "
           "one on.";
}

std::string tooManyOps(const Experiment& e) {
    const std::int64_t ops = detail::plannedOps(e);
    if (ops <= kMaxPlannedOps)
        return {};
    return "streams=" + std::to_string(e.streams) + " with iterations=" + std::to_string(e.iterations) +
           " plans " + std::to_string(ops) + " ops; at most " + std::to_string(kMaxPlannedOps) +
           " are possible: lower one of the two.";
}

std::string tooLargeBuffers(const Experiment& e) {
    const detail::BufferBytes bytes = detail::bufferBytes(e);
    if (bytes.device + bytes.host <= kMaxBufferBytes)
        return {};
    return "The buffers of " + std::to_string(e.streams) + " streams would take " +
           std::to_string(bytes.device >> 30) + " GiB on the device and " + std::to_string(bytes.host >> 30) +
           " GiB on the host, together more than " + bytesToText(kMaxBufferBytes) +
           ": lower streams, h2d.bytes, memset.bytes or d2h.bytes.";
}

} // namespace

std::vector<std::string> conflicts(const Experiment& experiment) {
    std::vector<std::string> out;
    for (const auto check : {nothingToRun, tooManyOps, tooLargeBuffers})
        if (std::string sentence = check(experiment); !sentence.empty())
            out.push_back(std::move(sentence));
    return out;
}

} // namespace olab
