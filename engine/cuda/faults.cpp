#include "faults.h"

#include <olab/kernels/helper_kernels.h>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace olab::cuda {
namespace {

std::size_t hostBytes() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The request must fail before the driver starts to allocate pages: the machine has other users.
class AddressSpaceLimit {
public:
    AddressSpaceLimit() {
        constexpr rlim_t kRoom = rlim_t{1} << 30;
        ::getrlimit(RLIMIT_AS, &m_before);
        const rlimit tight{std::min(usedNow() + kRoom, m_before.rlim_max), m_before.rlim_max};
        ::setrlimit(RLIMIT_AS, &tight);
    }
    AddressSpaceLimit(const AddressSpaceLimit&) = delete;
    AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;
    ~AddressSpaceLimit() { ::setrlimit(RLIMIT_AS, &m_before); }

private:
    static rlim_t usedNow() {
        std::ifstream file("/proc/self/statm");
        rlim_t pages = 0;
        file >> pages;
        return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    }
    rlimit m_before{};
};

} // namespace

void prepareRehearsal(experiment::Fault fault) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for free memory"); // also makes the context, which needs room
    check(kernels::loadFaultKernels(), "load the kernels that fail");
    if (fault == experiment::Fault::DeviceMemory)
        Memory::device(2 * total);
    if (fault == experiment::Fault::PinnedMemory) {
        const AddressSpaceLimit limit;
        Memory::pinned(2 * hostBytes());
    }
}

void rehearseKernel(experiment::Fault fault, cudaStream_t stream) {
    if (fault == experiment::Fault::IllegalAddress)
        check(kernels::launchBadWrite(stream), "launch the bad kernel");
    if (fault == experiment::Fault::Hang)
        check(kernels::launchEndless(stream), "launch the endless kernel");
}

} // namespace olab::cuda
