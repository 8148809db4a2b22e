#include "interference.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace olab::cuda {
namespace {

constexpr auto kBytes = static_cast<std::size_t>(experiment::kInterfereBytes);
constexpr std::size_t kPageBytes = 4096;

/// Not an error: the queried work is still running.
cudaError_t unlessNotReady(cudaError_t status) {
    return status == cudaErrorNotReady ? cudaSuccess : status;
}

} // namespace

Interference::Interference(const experiment::Schedule& schedule, const Devices& devices)
    : m_kind(schedule.interfere)
    , m_devices(devices) {
    for (const experiment::Op& op : schedule.ops)
        if (op.kind == experiment::OpKind::InterfereCall || op.kind == experiment::OpKind::InterfereKernel)
            m_pieces.push_back({op.id, op.device, nullptr, false});
    try {
        for (Piece& piece : m_pieces)
            prepare(piece);
    } catch (...) {
        release();
        throw;
    }
}

Interference::~Interference() {
    release();
}

void Interference::prepare(Piece& piece) {
    m_devices.use(piece.device);
    if (m_kind == experiment::Interfere::Free)
        checkAllocation(cudaMalloc(&piece.memory, kBytes), MemoryPlace::Device, kBytes);
    else if (m_kind == experiment::Interfere::FreeHost)
        checkAllocation(cudaMallocHost(&piece.memory, kBytes), MemoryPlace::PinnedHost, kBytes);
    else if (m_kind == experiment::Interfere::HostRegister)
        piece.memory = std::aligned_alloc(kPageBytes, kBytes);
}

Interference::Piece& Interference::pieceOf(const experiment::Op& op) {
    return *std::lower_bound(m_pieces.begin(), m_pieces.end(), op.id,
                             [](const Piece& piece, OpId id) { return piece.op < id; });
}

std::uint32_t Interference::firstLaunchOf(const experiment::Op& op) {
    return static_cast<std::uint32_t>(&pieceOf(op) - m_pieces.data());
}

cudaError_t Interference::call(const experiment::Op& op, StreamAt at) {
    Piece& piece = pieceOf(op);
    piece.done = true;
    switch (m_kind) {
    case experiment::Interfere::GetLastError:
        cudaGetLastError(); // of an earlier call, which was already checked
        return cudaSuccess;
    case experiment::Interfere::StreamQuery:
        return unlessNotReady(cudaStreamQuery(at.stream));
    case experiment::Interfere::Malloc:
        return cudaMalloc(&piece.memory, kBytes);
    case experiment::Interfere::Free:
        return cudaFree(std::exchange(piece.memory, nullptr));
    case experiment::Interfere::MallocHost:
        return cudaMallocHost(&piece.memory, kBytes);
    case experiment::Interfere::FreeHost:
        return cudaFreeHost(std::exchange(piece.memory, nullptr));
    case experiment::Interfere::HostRegister:
        return cudaHostRegister(piece.memory, kBytes, cudaHostRegisterDefault);
    case experiment::Interfere::MallocAsync:
        return cudaMallocAsync(&piece.memory, kBytes, at.stream);
    default:
        return cudaErrorInvalidValue;
    }
}

void Interference::release(Piece& piece) noexcept {
    if (!piece.memory)
        return;
    if (m_kind == experiment::Interfere::MallocHost || m_kind == experiment::Interfere::FreeHost) {
        cudaFreeHost(piece.memory);
    } else if (m_kind == experiment::Interfere::HostRegister) {
        if (piece.done)
            cudaHostUnregister(piece.memory);
        std::free(piece.memory);
    } else {
        cudaFree(piece.memory);
    }
    piece.memory = nullptr;
}

// A pool keeps its memory unless told otherwise.
void Interference::release() noexcept {
    for (Piece& piece : m_pieces)
        release(piece);
    m_pieces.clear();
    if (m_kind != experiment::Interfere::MallocAsync)
        return;
    m_devices.synchronizeQuietly(); // freed memory becomes available at the next synchronisation
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        cudaMemPool_t pool = nullptr;
        const int ordinal = m_devices.ordinal(static_cast<std::int32_t>(d));
        if (cudaDeviceGetDefaultMemPool(&pool, ordinal) == cudaSuccess)
            cudaMemPoolTrimTo(pool, 0);
    }
}

} // namespace olab::cuda
