// What a recording contains and what it lacks: records by kind, their devices and processes, and what cannot
// be judged without the missing ones. Nothing is judged here: what rules lack is taken from the abstentions
// in the report, and defects are the report's. One pass over the rows (3 ms for a million). Pure function,
// any thread.
#pragma once

#include <olab/recording/recording.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace olab::view {

/// The records of one class.
struct ClassContents {
    std::uint64_t count = 0;
    std::int64_t bytes = 0;      ///< of copies and memsets
    std::size_t names = 0;       ///< different ones
    std::uint64_t withShape = 0; ///< kernels: those whose grid is known
    /// Copies and memsets: by the kind of host memory, or of the target if there is none.
    std::array<std::uint64_t, 8> memory{};
};

/// Something missing in the records, and the rules that could not judge without it.
struct Lack {
    std::string what;                ///< "the memory kinds of 2 of 9 copies"
    std::vector<std::string> titles; ///< of the rules, as the report lists them
    bool isEveryRule = false;
};

struct Contents {
    std::array<ClassContents, kClassCount> classes;
    std::map<StreamCallKind, std::uint64_t> streamCalls;
    std::array<std::uint64_t, 4> streams{}; ///< by StreamKind; only those that a record names
    std::map<std::int32_t, int>
        priorities; ///< how many streams of each; those of unknown kind and 0 left out
    std::uint64_t threads = 0, channels = 0; ///< of the host, hardware queues
    std::vector<Lack> lacks;                 ///< those that affect most rules first
    std::vector<Defect> defects;             ///< the largest first
};

Contents contentsOf(const recording::Recording& recording);

} // namespace olab::view
