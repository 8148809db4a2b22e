// What a run did, by its records: count and bytes of each class of device work and the kernels by name.
#pragma once

#include <olab/trace/trace.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace olab::comparison {

/// Unsigned, for files may hold numbers whose sum is none; equal work has equal sums all the same.
struct WorkOfClass {
    std::uint64_t count = 0, bytes = 0;
};

struct DoneWork {
    std::array<WorkOfClass, kDeviceClassCount> classes;
    std::map<std::string_view, std::uint64_t> kernels; ///< how many, by the name in the records
    bool isNone() const {
        return std::ranges::all_of(classes, [](const auto& c) { return c.count == 0; });
    }
};

DoneWork doneWorkOf(const Trace& trace);
/// Of what begins in that time.
DoneWork doneWorkIn(const Trace& trace, Interval time);

} // namespace olab::comparison
