#include <olab/experiment/schedule.h>

#include <olab/trace/error.h>

#include <string>

namespace olab::experiment {
namespace {

struct KindRow {
    std::string_view name;
    std::optional<ActivityClass> cls;
};

/// In the order of OpKind.
constexpr std::array<KindRow, kOpKinds> kKinds{{
    {"H2D copy", ActivityClass::MemcpyH2D},
    {"memset", ActivityClass::Memset},
    {"kernel", ActivityClass::Kernel},
    {"D2H copy", ActivityClass::MemcpyD2H},
    {"host function", ActivityClass::HostFn},
    {"NULL-stream memset", ActivityClass::Memset},
    {"NULL-stream kernel", ActivityClass::Kernel},
    {"NULL-stream event", std::nullopt}, // a record in the stream, no work and no duration
    {"fill kernel", ActivityClass::Kernel},
    {"fill by D2D copy", ActivityClass::MemcpyD2D},
    {"peer copy", ActivityClass::MemcpyP2P},
    {"event record", std::nullopt},
    {"event wait", std::nullopt},
    {"host wait", std::nullopt},
    {"interfering call", std::nullopt},
    {"interfering memset", ActivityClass::Memset},
    {"interfering D2D copy", ActivityClass::MemcpyD2D},
    {"first launch of a kernel", ActivityClass::Kernel},
    {"host work", std::nullopt},
}};

const KindRow& rowOf(OpKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

} // namespace

std::string_view opKindName(OpKind kind) {
    return rowOf(kind).name;
}

std::optional<ActivityClass> classOf(OpKind kind) {
    return rowOf(kind).cls;
}

namespace {

std::string mib(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

} // namespace

void refuseIfTooBig(std::uint64_t wanted, std::uint64_t free, const char* where) {
    if (wanted / 4 * 5 > free)
        throw Error(ErrorKind::Usage, "too-big",
                    "The buffers need " + mib(wanted) + " of " + where + " memory; 80 % of the " + mib(free) +
                        " free is the limit.",
                    "Smaller h2d.bytes, d2h.bytes or memset.bytes, or fewer streams.");
}

} // namespace olab::experiment
