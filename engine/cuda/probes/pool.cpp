// E40: does memory from a pool make one stream wait for another? S2 allocates what S1 freed after a kernel
// that still runs.
#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::size_t kBytes = 64u << 20;

class Pool {
public:
    explicit Pool(bool mayDepend) {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
        properties.maxSize = kBytes; // only a pool that cannot grow waits for memory that others will free
        check(cudaGetDevice(&properties.location.id), "ask for the device");
        check(cudaMemPoolCreate(&m_pool, &properties), "make a pool");
        int depend = mayDepend ? 1 : 0, no = 0;
        std::uint64_t keep = UINT64_MAX;
        check(cudaMemPoolSetAttribute(m_pool, cudaMemPoolReuseAllowInternalDependencies, &depend),
              "set it up");
        check(cudaMemPoolSetAttribute(m_pool, cudaMemPoolReuseAllowOpportunistic, &no), "set it up");
        check(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &keep), "set it up");
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() { cudaMemPoolDestroy(m_pool); }
    cudaError_t allocate(void*& made, cudaStream_t stream) {
        return cudaMallocFromPoolAsync(&made, kBytes, m_pool, stream);
    }

private:
    cudaMemPool_t m_pool = nullptr;
};

void measure(Numbers& numbers, const std::string& name, bool mayDepend) {
    Pool pool(mayDepend);
    const StreamHandle a = nonBlocking(), b = nonBlocking();
    std::vector<double> same, errors;
    const auto waits = [&] {
        Spin holding(kKernel), kernel(kKernel / 10);
        void *first = nullptr, *second = nullptr;
        check(pool.allocate(first, a.get()), "allocate from the pool");
        idle();
        holding.launch(a.get());
        check(cudaFreeAsync(first, a.get()), "free");
        const cudaError_t status = pool.allocate(second, b.get());
        cudaGetLastError();
        kernel.launch(b.get());
        same.push_back(yes(first == second));
        errors.push_back(status);
        if (status == cudaSuccess)
            check(cudaFreeAsync(second, b.get()), "free");
        idle();
        return yes(kernel.begin() >= holding.end());
    };
    numbers.addMedian("pool." + name + ".waits", rounds(numbers, waits));
    numbers.addMedian("pool." + name + ".same_memory", same);
    numbers.addMedian("pool." + name + ".error", errors);
}

} // namespace

void probePool(Numbers& numbers) {
    measure(numbers, "may_depend", true);
    measure(numbers, "may_not_depend", false);
}

} // namespace olab::cuda::probes
