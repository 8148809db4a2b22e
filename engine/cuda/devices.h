// The devices of a run: which of CUDA's numbers stand behind the 0-based ones of a schedule, and the one that
// is current in this thread.
#pragma once

#include "check.h"

#include <cstdint>
#include <vector>

namespace olab {

class Devices {
public:
    /// `count` of them, from `first` on, round the end of CUDA's list. @throws Error (no-such-device)
    Devices(int first, int count);
    std::size_t size() const { return m_ordinals.size(); }
    int ordinal(std::int32_t device) const { return m_ordinals[static_cast<std::size_t>(device)]; }
    std::int32_t next(std::int32_t device) const {
        return static_cast<std::int32_t>((static_cast<std::size_t>(device) + 1) % m_ordinals.size());
    }
    /// Makes it the calling thread's. @throws Error
    void use(std::int32_t device) const { check(cudaSetDevice(ordinal(device)), "use the device"); }
    /// Waits for each. Leaves the first one current. @throws Error: `doing` is what failed
    void synchronize(const char* doing) const;
    /// The same where nothing may be thrown.
    void synchronizeQuietly() const noexcept;

private:
    std::vector<int> m_ordinals;
};

} // namespace olab
