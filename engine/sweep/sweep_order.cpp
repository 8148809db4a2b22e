#include <olab/sweep/sweep_order.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace olab::sweep {
namespace {

/// SplitMix64: the same numbers with every library, which std::shuffle does not promise.
class Mixed {
public:
    explicit Mixed(std::uint64_t seed)
        : m_state(seed) {}
    std::size_t below(std::size_t limit) {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebu;
        return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
    }

private:
    std::uint64_t m_state;
};

} // namespace

std::vector<std::size_t> roundOrder(std::size_t cells, std::size_t round) {
    std::vector<std::size_t> order(cells);
    std::iota(order.begin(), order.end(), 0);
    Mixed random(round / 2 + 1);
    for (std::size_t i = cells; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    if (round % 2 == 1)
        std::ranges::reverse(order);
    return order;
}

} // namespace olab::sweep
