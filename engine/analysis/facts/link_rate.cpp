#include <olab/analysis/link_rate.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace olab::analysis {
namespace {

constexpr double kPcie3 = 12.5, kPcie4 = 25, kPcie5 = 55;

struct Card {
    std::string_view name; ///< a word of the device's name, or the begin of one
    double rate;
};
/// Cards as their data sheets describe them.
constexpr std::array kCards = std::to_array<Card>({
    {"P4", kPcie3},   {"P40", kPcie3},   {"P100", kPcie3}, {"V100", kPcie3}, {"T4", kPcie3},
    {"GTX", kPcie3},  {"TITAN", kPcie3}, {"A10", kPcie4},  {"A10G", kPcie4}, {"A30", kPcie4},
    {"A40", kPcie4},  {"A100", kPcie4},  {"A800", kPcie4}, {"L4", kPcie4},   {"L40", kPcie4},
    {"L40S", kPcie4}, {"H100", kPcie5},  {"H200", kPcie5}, {"H800", kPcie5}, {"H20", kPcie5},
    {"B100", kPcie5}, {"B200", kPcie5},  {"B300", kPcie5},
});

bool isWordOf(std::string_view name, std::string_view word) {
    const auto isInWord = [&](std::size_t at) {
        return at < name.size() && name[at] != ' ' && name[at] != '-' && name[at] != '_';
    };
    for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1))
        if (!isInWord(at + word.size()) && (at == 0 || !isInWord(at - 1)))
            return true;
    return false;
}

} // namespace

double usualLinkRate(const DeviceRecord& device) {
    const auto known =
        std::ranges::find_if(kCards, [&](const Card& c) { return isWordOf(device.name, c.name); });
    if (known != kCards.end())
        return known->rate;
    return device.computeMajor >= 9 ? kPcie5 : device.computeMajor == 8 ? kPcie4 : kPcie3;
}

} // namespace olab::analysis
