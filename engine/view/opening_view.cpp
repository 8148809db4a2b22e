#include <olab/view/opening_view.h>

#include <olab/analysis/steady_state.h>
#include <olab/view/view_data.h>

#include <algorithm>

namespace olab::view {
namespace {

constexpr Ns kMargin = 40;    // of the time that is shown
constexpr Ns kSmallPart = 4;  // of the whole recording: work that takes less is hard to see in it
constexpr Ns kHostMargin = 8; // of the work: the calls that issued it begin before it

const analysis::JudgedPart* judgedPart(const AccountPtr& account) {
    return account && account->ledger().missing.empty() ? account->ledger().part.get() : nullptr;
}

/// Where the typical iteration is, else the middle.
Ns centreOf(const ViewData& shown, Interval part) {
    const auto found = shown.steadyState();
    const bool isKnown = found && found->typical < found->iterations.size();
    const Interval at = isKnown ? found->iterations[found->typical] : part;
    return at.begin + at.length() / 2;
}

/// `length` of the part around `centre`.
Interval stretchOf(Interval part, Ns length, Ns centre) {
    const Ns begin = std::clamp(centre - length / 2, part.begin, part.end - length);
    return {begin, begin + length};
}

/// All work of the device where loading and the end of the program take most of the recording.
std::optional<Interval> deviceWork(const ViewData& shown) {
    const Interval work = shown.trace().deviceSpan();
    if (work.length() <= 0 || work.length() >= shown.limits().length() / kSmallPart)
        return std::nullopt;
    const Ns air = work.length() / kHostMargin;
    return Interval{work.begin - air, work.end + air};
}

} // namespace

std::optional<Interval> openingView(const ViewData& shown) {
    const AccountPtr account = shown.account();
    const analysis::JudgedPart* part = judgedPart(account);
    if (!part || part->iterations == 0 || part->time.length() <= 0)
        return deviceWork(shown);
    const std::uint64_t count = std::min(part->iterations, kMostOpened);
    const Ns length = count == part->iterations
                          ? part->time.length()
                          : part->time.length() / static_cast<Ns>(part->iterations) * static_cast<Ns>(count);
    const Interval time = stretchOf(part->time, length, centreOf(shown, part->time));
    const Ns air = length / kMargin;
    return Interval{time.begin - air, time.end + air};
}

} // namespace olab::view
