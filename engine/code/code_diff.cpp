#include <olab/code/code_diff.h>

#include <algorithm>

namespace olab::code {
namespace {

/// The length of the longest common subsequence of both remainders, by their start positions. Programs have a
/// few hundred lines.
class CommonLengths {
public:
    CommonLengths(const std::vector<CodeLine>& a, const std::vector<CodeLine>& b)
        : m_width(b.size() + 1)
        , m_lengths((a.size() + 1) * m_width) {
        for (std::size_t i = a.size(); i-- > 0;)
            for (std::size_t k = b.size(); k-- > 0;)
                m_lengths[i * m_width + k] =
                    a[i].text == b[k].text ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
    }
    std::uint32_t at(std::size_t i, std::size_t k) const { return m_lengths[i * m_width + k]; }

private:
    std::size_t m_width;
    std::vector<std::uint32_t> m_lengths;
};

} // namespace

std::vector<DiffLine> codeDiff(const CudaCode& before, const CudaCode& after) {
    const std::vector<CodeLine>&a = before.lines, &b = after.lines;
    const CommonLengths common(a, b);
    std::vector<DiffLine> out;
    std::size_t i = 0, k = 0;
    while (i < a.size() || k < b.size()) {
        if (i < a.size() && k < b.size() && a[i].text == b[k].text) {
            out.push_back({CodeChange::Kept, b[k]});
            ++i, ++k;
        } else if (i < a.size() && (k == b.size() || common.at(i + 1, k) >= common.at(i, k + 1))) {
            out.push_back({CodeChange::Removed, a[i++]});
        } else {
            out.push_back({CodeChange::Added, b[k++]});
        }
    }
    return out;
}

} // namespace olab::code
