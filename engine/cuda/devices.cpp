#include "devices.h"

#include <string>

namespace olab::cuda {

Devices::Devices(int first, int count) {
    int there = 0;
    check(cudaGetDeviceCount(&there), "find a device");
    if (first >= there)
        throw Error(ErrorKind::Usage, "no-such-device",
                    "There is no device " + std::to_string(first) + ": this machine has " +
                        std::to_string(there) + ", numbered from 0.",
                    "Set device to one that 'olab devices' lists.");
    if (count > there)
        throw Error(ErrorKind::Usage, "no-such-device",
                    "The plan wants " + std::to_string(count) + " devices; this machine has " +
                        std::to_string(there) + ".",
                    "Set devices=one, or use a machine with more GPUs.");
    for (int i = 0; i < count; ++i)
        m_ordinals.push_back((first + i) % there);
}

void Devices::synchronize(const char* doing) const {
    for (std::size_t d = m_ordinals.size(); d-- > 0;) {
        use(static_cast<std::int32_t>(d));
        check(cudaDeviceSynchronize(), doing);
    }
}

void Devices::synchronizeQuietly() const noexcept {
    for (std::size_t d = m_ordinals.size(); d-- > 0;) {
        cudaSetDevice(m_ordinals[d]);
        cudaDeviceSynchronize();
    }
}

} // namespace olab::cuda
