// Made by tests/truth/brought.py of what mends of real programs brought. Not to be edited.
#include "causes/cause_case.h"

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr struct {
    std::string_view id;
    Brought brought;
} kBrought[] = {
    {"allocation", {0.95, 9}},      {"callback", {0.99, 2}},       {"data-loading", {0.97, 2}},
    {"event-order", {0.82, 16}},    {"first-launch", {1.00, 1}},   {"graph-rebuilt", {0.63, 2}},
    {"head-of-line", {0.89, 2}},    {"host-late", {0.86, 57}},     {"host-sync", {0.88, 24}},
    {"launch-bound", {0.86, 57}},   {"null-stream", {0.99, 6}},    {"pageable", {0.97, 13}},
    {"priority", {0.81, 2}},        {"python", {0.86, 57}},        {"queue-full", {1.00, 1}},
    {"readback", {0.76, 26}},       {"same-stream", {0.90, 11}},   {"small-copies", {0.81, 4}},
    {"too-few-streams", {0.72, 6}}, {"unified-memory", {1.00, 1}},
};

} // namespace

Brought broughtBy(std::string_view id) {
    const auto row = std::ranges::find(kBrought, id, [](const auto& each) { return each.id; });
    return row == std::end(kBrought) ? Brought() : row->brought;
}

} // namespace olab::analysis
