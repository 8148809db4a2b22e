// The devices of a run: maps the 0-based numbers of a schedule to CUDA's, and sets the current device of this
// thread.
#pragma once

#include "check.h"

#include <cstdint>
#include <vector>

namespace olab::cuda {

class Devices {
public:
    /// `count` devices from `first` on, wrapping around at the end of CUDA's list. @throws Error
    /// (no-such-device)
    Devices(int first, int count);
    std::size_t size() const { return m_ordinals.size(); }
    int ordinal(std::int32_t device) const { return m_ordinals[static_cast<std::size_t>(device)]; }
    std::int32_t next(std::int32_t device) const {
        return static_cast<std::int32_t>((static_cast<std::size_t>(device) + 1) % m_ordinals.size());
    }
    /// Makes it current in the calling thread. @throws Error
    void use(std::int32_t device) const { check(cudaSetDevice(ordinal(device)), "use the device"); }
    /// Waits for each. Leaves the first one current. @throws Error: `doing` is what failed
    void synchronize(const char* doing) const;
    /// The same without exceptions.
    void synchronizeQuietly() const noexcept;

private:
    std::vector<int> m_ordinals;
};

} // namespace olab::cuda
