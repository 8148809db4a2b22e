// E25: copies that a kernel starts. Copies within the device's memory are the control; copies to and from the
// host are what a source text claims.
#include "probe_tools.h"

#ifdef OLAB_DEVICE_COPY_IMAGE
#include <device_copy_image.inc>
#endif

namespace olab::cuda::probes {
namespace {

constexpr std::uint32_t kCount = 1 << 16, kValue = 7;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);

const void* image() {
#ifdef OLAB_DEVICE_COPY_IMAGE
    return kDeviceCopyImage;
#else
    return nullptr;
#endif
}

/// The kernel, as long as its image is loaded.
class DeviceCopy {
public:
    DeviceCopy() {
        if (!image() || cudaLibraryLoadData(&m_library, image(), nullptr, nullptr, 0, nullptr, nullptr, 0) !=
                            cudaSuccess) {
            (void)cudaGetLastError();
            throw Error(ErrorKind::Usage, "no-probe", "There is no code for this device's own runtime.",
                        "Build with a toolkit that knows the device and has libcudadevrt.");
        }
        check(cudaLibraryGetKernel(&m_kernel, m_library, "olab_device_copy"), "find a kernel");
    }
    ~DeviceCopy() { (void)cudaLibraryUnload(m_library); }
    DeviceCopy(const DeviceCopy&) = delete;
    DeviceCopy& operator=(const DeviceCopy&) = delete;

    /// The return value of cudaMemcpyAsync on the device.
    int run(void* to, const void* from, cudaMemcpyKind kind) const {
        const Mapped<int> result;
        result[0] = -1;
        unsigned long long bytes = kBytes;
        int direction = kind, *at = result.get();
        void* arguments[] = {&to, &from, &bytes, &direction, &at};
        check(cudaLaunchKernel(m_kernel, 1, 1, arguments, 0, nullptr), "launch a kernel that copies");
        idle();
        return result[0];
    }

private:
    cudaLibrary_t m_library = nullptr;
    cudaKernel_t m_kernel = nullptr;
};

/// One direction: the error, 0 for none, and whether the data arrived.
void measure(Numbers& numbers, const DeviceCopy& copy, const std::string& name, const Memory& to,
             const Memory& from, cudaMemcpyKind kind) {
    const Memory source = Memory::pinned(kBytes), target = Memory::pinned(kBytes);
    std::fill_n(source.as<std::uint32_t>(), kCount, kValue);
    check(cudaMemset(to.as<void>(), 0, kBytes), "clear the target");
    check(cudaMemcpy(from.as<void>(), source.as<void>(), kBytes, cudaMemcpyDefault), "fill the source");
    const int code = copy.run(to.as<void>(), from.as<void>(), kind);
    check(cudaMemcpy(target.as<void>(), to.as<void>(), kBytes, cudaMemcpyDefault), "read the target");
    numbers.add(name + ".error", code);
    numbers.add(name + ".copied", shareOf(target.as<std::uint32_t>(), kCount, kValue));
}

} // namespace

void probeDeviceCopy(Numbers& numbers) {
    const DeviceCopy copy;
    const Memory device = Memory::device(kBytes), other = Memory::device(kBytes);
    const Memory host = Memory::pinned(kBytes);
    measure(numbers, copy, "kernel_copies.within_device", other, device, cudaMemcpyDeviceToDevice);
    measure(numbers, copy, "kernel_copies.to_host", host, device, cudaMemcpyDeviceToHost);
    measure(numbers, copy, "kernel_copies.from_host", device, host, cudaMemcpyHostToDevice);
}

} // namespace olab::cuda::probes
