// The calls that interfere=... puts between passes. What they free is allocated before the window; what they
// allocate is freed after it.
#pragma once

#include "calls.h"
#include "handles.h"

#include <olab/experiment/schedule.h>

#include <vector>

namespace olab::cuda {

class Interference {
public:
    /// Allocates what the calls will free. `devices` must outlive it.
    Interference(const experiment::Schedule& schedule, const Devices& devices);
    ~Interference();
    Interference(const Interference&) = delete;
    Interference& operator=(const Interference&) = delete;

    /// The call of `op` (an InterfereCall). The device of `at` must be current. Any thread.
    cudaError_t call(const experiment::Op& op, StreamAt at);
    /// The kernel of `op` (an InterfereKernel) among those that nothing else launches.
    std::uint32_t firstLaunchOf(const experiment::Op& op);
    /// Frees everything. Call with the devices idle.
    void release() noexcept;

private:
    /// What one op works on.
    struct Piece {
        OpId op = kNoOp;
        std::int32_t device = 0;
        void* memory = nullptr;
        bool done = false; ///< the call was made
    };
    void prepare(Piece& piece);
    void release(Piece& piece) noexcept;
    Piece& pieceOf(const experiment::Op& op);
    experiment::Interfere m_kind;
    const Devices& m_devices;
    std::vector<Piece> m_pieces; ///< in order of their ops
};

} // namespace olab::cuda
