#include "causes/cause_case.h"

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

} // namespace olab::analysis
