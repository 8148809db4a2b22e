#include <olab/experiment/option_table.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <utility>

namespace olab::experiment {
namespace {

/// Longer input is not a typing error of any key, and the distance costs length squared.
constexpr std::size_t kLongestTypo = 40;

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, previous(b.size() + 1), current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] != b[j - 1]);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        before = std::exchange(previous, current);
    }
    return previous[b.size()];
}

std::string_view wholeKey(std::string_view key) {
    return key;
}
/// "kernel.blocks" -> "blocks": users omit the first part.
std::string_view lastPart(std::string_view key) {
    return key.substr(key.rfind('.') + 1);
}

/// The first name whose `part` is nearest to `wrong`; empty if more than a third of it would have to change.
std::string_view nearestBy(std::span<const std::string_view> names,
                           std::string_view (*part)(std::string_view), std::string_view wrong) {
    std::string_view best;
    std::size_t bestDistance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
    for (const std::string_view name : names) {
        const std::size_t distance = editDistance(wrong, part(name));
        if (distance < std::min(bestDistance, part(name).size())) {
            best = name;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace

std::string_view nearestOf(std::span<const std::string_view> names, std::string_view wrong) {
    if (wrong.empty() || wrong.size() > kLongestTypo)
        return {};
    const std::string text = lowered(wrong);
    const std::string_view whole = nearestBy(names, wholeKey, text);
    return whole.empty() ? nearestBy(names, lastPart, text) : whole;
}

std::string_view nearestKey(std::string_view wrong) {
    std::vector<std::string_view> keys;
    for (const OptionRow& row : optionTable())
        keys.push_back(row.key);
    return nearestOf(keys, wrong);
}

} // namespace olab::experiment
