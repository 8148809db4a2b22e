#include <olab/trace/types.h>

#include <span>

namespace olab {
namespace {

constexpr std::array<std::string_view, kEngineCount> kEngineNames{"none",     "compute",  "copy_h2d",
                                                                  "copy_d2h", "copy_d2d", "copy_p2p"};
constexpr std::array<std::string_view, kEngineCount> kEngineLabels{"no engine", "compute",  "copy H2D",
                                                                   "copy D2H",  "copy D2D", "copy P2P"};
constexpr std::array<std::string_view, 8> kMemoryNames{
    "unknown", "pageable", "pinned", "device", "array", "managed", "device_static", "managed_static"};
constexpr std::array<std::string_view, 4> kStreamNames{"unknown", "blocking", "nonblocking", "null"};
constexpr std::array<std::string_view, 4> kSourceNames{"cuda", "simulated", "imported", "traced"};

// An enumerator outside the table can only come from damaged memory or a cast: it gets a name, never a crash.
template <typename Enum>
std::string_view nameIn(std::span<const std::string_view> names, Enum value) {
    const auto i = static_cast<std::size_t>(value);
    return i < names.size() ? names[i] : std::string_view("invalid");
}

const ClassRow& rowOf(ActivityClass c) {
    static constexpr ClassRow kInvalid{
        ActivityClass::Count_, "invalid",        "invalid",           "invalid", "invalid", "",
        EngineKind::None,      EngineKind::None, ClassPattern::Plain, ""};
    const auto i = static_cast<std::size_t>(c);
    return i < kClassRows.size() ? kClassRows[i] : kInvalid;
}

} // namespace

std::string_view className(ActivityClass c) {
    return rowOf(c).name;
}
std::string_view classLabel(ActivityClass c) {
    return rowOf(c).label;
}

std::optional<ActivityClass> classFromName(std::string_view name) {
    for (const ClassRow& row : kClassRows)
        if (name == row.name || name == row.brief)
            return row.cls;
    return std::nullopt;
}

std::string_view engineName(EngineKind e) {
    return nameIn(kEngineNames, e);
}
std::string_view engineLabel(EngineKind e) {
    return nameIn(kEngineLabels, e);
}
std::string_view memoryKindName(MemoryKind m) {
    return nameIn(kMemoryNames, m);
}
std::string_view streamKindName(StreamKind k) {
    return nameIn(kStreamNames, k);
}
std::string_view sourceKindName(SourceKind k) {
    return nameIn(kSourceNames, k);
}

} // namespace olab
