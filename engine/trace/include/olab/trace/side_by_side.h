// Runs independent parts of one job on as many threads as are worthwhile and as there are cores. No pool: the
// threads are created for the job and have ended when the call returns. An exception of a part is rethrown by
// the call once all have ended. If the system has too few threads, fewer do the same work, possibly the
// calling one alone.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace olab {

/// How many threads are worthwhile for a job over `items` items, including the calling one: 1 to 8.
std::size_t threadsFor(std::size_t items);

/// Calls `part` with each number below `parts`, each once, on up to `threads` threads (the calling one among
/// them); the assignment is unspecified, so no part may wait for another. Give the longest parts the lowest
/// numbers: they are started in order.
void sideBySide(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& part);

/// Item numbers [begin, end).
struct Stretch {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
};
/// Part number `part` of `parts` of [0, items), all of about the same size.
constexpr Stretch stretchOf(std::size_t part, std::size_t parts, std::size_t items) {
    const std::size_t each = items / parts, longer = items % parts;
    const std::size_t begin = part * each + (part < longer ? part : longer);
    return {begin, begin + each + (part < longer ? 1 : 0)};
}

} // namespace olab
