#include <olab/analysis/communication.h>

#include <olab/analysis/collectives.h>
#include <olab/analysis/waits.h>
#include <olab/trace/interval_set.h>

#include "facts/looks.h"
#include "facts/sentences.h"
#include "facts/sums.h"

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr std::uint8_t kComputes = kCommunicationKinds, kNeither = kComputes + 1;

struct KindRow {
    std::string_view name;
    std::string_view inKernel; ///< in lower case; empty: not recognised by a kernel name
};
/// By CommunicationKind; the first match counts.
constexpr std::array<KindRow, kCommunicationKinds> kKindRows{{{"all-reduce", "allreduce"},
                                                              {"all-gather", "allgather"},
                                                              {"reduce-scatter", "reducescatter"},
                                                              {"reduce", "reduce"},
                                                              {"broadcast", "broadcast"},
                                                              {"all-to-all", "alltoall"},
                                                              {"send/recv", "sendrecv"},
                                                              {"peer copy", ""},
                                                              {"other", ""}}};

bool contains(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return (a | 0x20) == b; }; // part is in lower case
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// A CommunicationKind, kComputes or kNeither.
std::uint8_t roleOf(const Trace& trace, const ActivityKind& kind) {
    if (kind.cls == ActivityClass::MemcpyP2P)
        return static_cast<std::uint8_t>(CommunicationKind::PeerCopy);
    if (kind.cls != ActivityClass::Kernel)
        return kNeither;
    const std::string_view name = trace.text(kind.name);
    return isCommunicationKernel(name) ? static_cast<std::uint8_t>(communicationKindOf(name)) : kComputes;
}

/// The times of a device, by role.
using Roles = std::array<std::vector<Interval>, kComputes + 1>;

/// Per device; empty if nothing communicates.
std::vector<Roles> rolesByDevice(const Trace& trace, const RunControl& control) {
    std::vector<std::uint8_t> roles;
    for (const ActivityKind& kind : trace.kinds())
        roles.push_back(roleOf(trace, kind));
    if (std::ranges::none_of(roles, [](std::uint8_t role) { return role < kCommunicationKinds; }))
        return {};
    std::vector<Roles> devices(trace.devices().size());
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        lookAtCancel(row, control);
        if (const std::uint8_t role = roles[trace.kindOf(row)]; role != kNeither)
            devices[trace.device(row)][role].push_back(trace.time(row));
    }
    return devices;
}

CommunicationDevice timesOf(Roles& roles) {
    CommunicationDevice device;
    const IntervalSet computing = IntervalSet::unionOf(std::move(roles[kComputes]));
    IntervalSet all;
    for (std::size_t kind = 0; kind < kCommunicationKinds; ++kind) {
        const std::uint64_t count = roles[kind].size();
        const IntervalSet set = IntervalSet::unionOf(std::move(roles[kind]));
        device.kinds[kind] = {count, set.total(), overlapLength(set, computing)};
        device.all.count += count;
        all = all.united(set);
    }
    device.all.total = all.total();
    device.all.hidden = overlapLength(all, computing);
    return device;
}

void add(CommunicationTimes& sum, const CommunicationTimes& times) {
    sum.count += times.count;
    sum.total += times.total;
    sum.hidden += times.hidden;
}

std::string countText(std::uint64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string countsText(const Communication& found) {
    const auto countOf = [&](CommunicationKind kind) {
        return found.kinds[static_cast<std::size_t>(kind)].count;
    };
    const std::uint64_t sends = countOf(CommunicationKind::SendRecv);
    const std::uint64_t copies = countOf(CommunicationKind::PeerCopy);
    std::vector<std::string> parts;
    if (const std::uint64_t collectives = found.all.count - sends - copies; collectives > 0)
        parts.push_back(countText(collectives, "collective", "collectives"));
    if (sends > 0)
        parts.push_back(countText(sends, "send/recv kernel", "send/recv kernels"));
    if (copies > 0)
        parts.push_back(countText(copies, "peer copy", "peer copies"));
    return joined(parts);
}

std::string textOf(const Communication& found) {
    const std::size_t devices = found.devices.size();
    return "Communication: " + timeText(found.all.total) +
           (devices > 1 ? " on " + std::to_string(devices) + " devices" : "") + " in " + countsText(found) +
           ", " + percentText(found.all.hiddenShare()) + " of it behind computation; " +
           timeText(found.all.exposed()) + " exposed";
}

} // namespace

std::string_view communicationKindName(CommunicationKind kind) {
    return kKindRows[static_cast<std::size_t>(kind)].name;
}

bool isCommunicationKernel(std::string_view kernelName) {
    return contains(kernelName, "nccl") || contains(kernelName, "rccl");
}

CommunicationKind communicationKindOf(std::string_view kernelName) {
    const std::string_view name = collectiveName(kernelName);
    const auto row = std::ranges::find_if(
        kKindRows, [&](const KindRow& r) { return !r.inKernel.empty() && contains(name, r.inKernel); });
    return row == kKindRows.end() ? CommunicationKind::Other
                                  : static_cast<CommunicationKind>(row - kKindRows.begin());
}

std::string participantName(const Trace& trace, std::uint8_t device) {
    const std::uint32_t rank = trace.devices()[device].rank;
    const bool only =
        rank != kNoNumber && std::ranges::count(trace.devices(), rank, &DeviceRecord::rank) == 1;
    return only ? trace.rankText(rank) : trace.deviceText(device);
}

std::shared_ptr<const Communication> communicationOf(const Trace& trace, const RunControl& control) {
    if (trace.span().begin < -kMostOfDevices || trace.span().length() > kMostOfDevices)
        return nullptr;
    auto found = std::make_shared<Communication>();
    std::vector<Roles> devices = rolesByDevice(trace, control);
    for (std::size_t d = 0; d < devices.size(); ++d) {
        CommunicationDevice device = timesOf(devices[d]);
        if (device.all.count == 0)
            continue;
        device.device = static_cast<std::uint8_t>(d);
        device.name = participantName(trace, device.device);
        add(found->all, device.all);
        for (std::size_t kind = 0; kind < kCommunicationKinds; ++kind)
            add(found->kinds[kind], device.kinds[kind]);
        found->devices.push_back(std::move(device));
    }
    if (found->devices.empty())
        return nullptr;
    found->text = textOf(*found);
    return found;
}

} // namespace olab::analysis
