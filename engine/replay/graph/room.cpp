#include "graph/room.h"

#include <algorithm>

namespace olab::replay {
namespace {

/// Blocks that a multiprocessor holds at once, by the needs of each; 0: unknown.
std::uint64_t residentOn(const DeviceRecord& device, const KernelGeometry& kernel) {
    constexpr std::uint64_t kMostBlocks = 32, kSystem = 1024; ///< of a device; bytes reserved per block
    const std::uint64_t threads = kernel.threads();
    if (threads == 0 || device.maxThreadsPerSm == 0 || device.registersPerSm == 0 || device.sharedPerSm == 0)
        return 0;
    const std::uint64_t shared = std::uint64_t{kernel.staticShared} + kernel.dynamicShared + kSystem;
    const std::uint64_t registers =
        KernelGeometry::product({static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, 1024)),
                                 std::max(1u, kernel.registersPerThread), 1});
    return std::min({device.maxBlocksPerSm > 0 ? device.maxBlocksPerSm : kMostBlocks,
                     device.maxThreadsPerSm / threads, device.registersPerSm / registers,
                     device.sharedPerSm / shared});
}

/// A short kernel mostly waits, for memory and for its own launch: it takes only the room of its blocks. 0:
/// unknown.
float roomOfShort(const Trace& trace, const Node& node) {
    constexpr Ns kShort = 5'000;
    return node.measured.length() > kShort ? 0 : residentShareOf(trace, node);
}

/// How busy a multiprocessor is with this many blocks of a kernel: 1 if unknown, and from kBusyWarps warps
/// on. With fewer warps it mostly waits for earlier results.
float busyShareOf(const Trace& trace, const Node& kernel, float blocks) {
    constexpr float kBusyWarps = 8; // two for each scheduler
    const KernelGeometry* const geometry = trace.geometry(kernel.row);
    return geometry
               ? std::min(1.0F, blocks * static_cast<float>((geometry->threads() + 31) / 32) / kBusyWarps)
               : 1;
}

} // namespace

double wavesOf(const Trace& trace, const Node& kernel) {
    const KernelGeometry* const geometry = trace.geometry(kernel.row);
    if (!geometry)
        return 0;
    const DeviceRecord& device = trace.devices()[kernel.device];
    const std::uint64_t places = residentOn(device, *geometry) * device.smCount;
    return places == 0 ? 0 : static_cast<double>(geometry->blocks()) / static_cast<double>(places);
}

float residentShareOf(const Trace& trace, const Node& kernel) {
    return static_cast<float>(std::min(1.0, wavesOf(trace, kernel)));
}

float roomOf(const analysis::Facts& facts, const Node& kernel) {
    if (const float room = roomOfShort(facts.trace(), kernel); room > 0)
        return kMostRoom * room;
    const std::uint32_t sms = facts.trace().devices()[kernel.device].smCount;
    if (sms == 0)
        return 0;
    const float perSm = static_cast<float>(facts.work(kernel.row).blocks) / static_cast<float>(sms);
    const float room = std::min(1.0F, perSm) * busyShareOf(facts.trace(), kernel, std::max(1.0F, perSm));
    return kMostRoom * std::max(room, residentShareOf(facts.trace(), kernel));
}

} // namespace olab::replay
