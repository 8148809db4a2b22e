// E40: does memory from a pool make one stream wait for another? S2 allocates what S1 has freed behind a
// kernel that still runs.
#include "probe_tools.h"

namespace olab::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::size_t kBytes = 64u << 20;

class Pool {
public:
    explicit Pool(bool mayDepend) {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
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
    void* allocate(cudaStream_t stream) {
        void* made = nullptr;
        check(cudaMallocFromPoolAsync(&made, kBytes, m_pool, stream), "allocate from the pool");
        return made;
    }

private:
    cudaMemPool_t m_pool = nullptr;
};

void measure(Numbers& numbers, const std::string& name, bool mayDepend) {
    Pool pool(mayDepend);
    const StreamHandle a = nonBlocking(), b = nonBlocking();
    std::vector<double> same;
    const auto waits = [&] {
        Spin holding(kKernel), kernel(kKernel / 10);
        void* const first = pool.allocate(a.get());
        idle();
        holding.launch(a.get());
        check(cudaFreeAsync(first, a.get()), "free");
        void* const second = pool.allocate(b.get());
        kernel.launch(b.get());
        same.push_back(yes(first == second));
        check(cudaFreeAsync(second, b.get()), "free");
        idle();
        return yes(kernel.begin() >= holding.end());
    };
    numbers.addMedian("pool." + name + ".waits", rounds(numbers, waits));
    numbers.addMedian("pool." + name + ".same_memory", same);
}

} // namespace

void probePool(Numbers& numbers) {
    measure(numbers, "may_depend", true);
    measure(numbers, "may_not_depend", false);
}

} // namespace olab::probes
