// The numbers of a recording for ids of a file. Private to io.
#pragma once

#include <olab/trace/records.h>

#include <algorithm>
#include <map>
#include <string>

namespace olab::io::imports {

/// Ids may have 64 bits: a stream of HIP is a handle. Small ones stay as they are; each other one gets a
/// number of its own, in the order in which they come.
class FileNumbers {
public:
    static constexpr std::int64_t kNone = -1;
    static constexpr bool isSmall(std::int64_t id) {
        return id == kNone || (id >= 0 && id < std::int64_t{kLargeIds}) || id == std::int64_t{kNoNumber};
    }
    std::uint32_t of(std::int64_t id) {
        if (isSmall(id))
            return id == kNone ? kNoNumber : static_cast<std::uint32_t>(id);
        const auto next =
            static_cast<std::uint32_t>(std::min<std::size_t>(m_large.size(), kNoNumber - kLargeIds));
        return m_large.try_emplace(id, kLargeIds + next).first->second;
    }
    /// For streams: what the file calls them (Trace::queueText()).
    void tellStreams(RecordSink& records) const {
        constexpr std::uint32_t kMostTold = 64; // the environment has room for some more lines
        for (const auto& [id, number] : m_large)
            if (number - kLargeIds < kMostTold)
                records.add(EnvironmentRecord{std::string(kStreamIdKey) + std::to_string(number),
                                              std::to_string(id)});
    }

private:
    std::map<std::int64_t, std::uint32_t> m_large;
};

} // namespace olab::io::imports
