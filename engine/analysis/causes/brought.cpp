#include "causes/cause_case.h"

#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr struct {
    std::string_view id;
    Brought brought;
} kBrought[] = {
#include "causes/brought.inc"
};

} // namespace

Brought broughtBy(std::string_view id) {
    const auto row = std::ranges::find(kBrought, id, [](const auto& each) { return each.id; });
    return row == std::end(kBrought) ? Brought() : row->brought;
}

std::string broughtText(const Brought& brought) {
    const auto percent = [](double part) { return fixedText(100 * part, 0); };
    if (brought.programs == 0)
        return {};
    std::string text = percent(brought.part) + " % of what was said";
    if (brought.high > 0)
        text += ", " + percent(brought.low) + " to " + percent(brought.high) + " % in eight of ten";
    return text + ", over " + std::to_string(brought.programs) + " real " +
           (brought.programs == 1 ? "program" : "programs");
}

} // namespace olab::analysis
