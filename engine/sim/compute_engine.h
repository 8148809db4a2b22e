// The SMs: one queue of grids and memsets; only the blocks of the first may be placed, what comes after it
// fills what it leaves over once it is wholly placed. Blocks run in waves (groups placed at one time), not
// one by one.
#pragma once

#include "program.h"

#include <deque>
#include <optional>

namespace olab::sim {

class ComputeEngine {
public:
    explicit ComputeEngine(Context& context);
    /// `op` (kernel or memset) joins the queue.
    void submit(std::uint32_t op);
    /// Handles WaveDone. @returns the op that is finished by it, if any; call fill() after what depends on it
    /// is told.
    std::optional<std::uint32_t> waveDone(std::uint32_t wave);
    /// Handles MemsetDone; nothing for a stale one.
    std::optional<std::uint32_t> memsetDone(std::uint32_t slot, std::uint32_t generation);
    /// Places what there is room for.
    void fill();

private:
    struct Running { ///< a grid of which some blocks are placed
        std::uint32_t op = kNone;
        std::uint32_t toPlace = 0, placed = 0;
        Ns blockTime = 0;
        bool memoryBound = false;
    };
    struct Wave {
        std::uint32_t grid = 0, blocks = 0;
    };
    struct Memset {
        std::uint32_t op = kNone, slots = 0, generation = 0;
        Ns finish = 0;
    };
    bool placeHead();
    bool placeGrid(std::uint32_t op);
    bool startMemset(std::uint32_t op);
    std::uint32_t openGrid(std::uint32_t op);
    void placeWave(std::uint32_t grid, std::uint32_t blocks);
    void serveStarved();
    void serve(std::uint32_t slot);
    Ns stretched(const Running& grid) const;
    void demand(const Running& grid, std::int64_t blocks);

    Context& m_context;
    std::uint32_t m_slots, m_free; ///< in blocks of the experiment's kernel
    std::uint32_t m_batch;         ///< fewer free slots than this wait for more, so that waves do not crumble
    std::uint32_t m_memsetSlots;
    std::deque<std::uint32_t> m_queue;
    std::uint32_t m_head = kNone; ///< the first in the queue, if it is a grid partly placed
    std::vector<Running> m_grids;
    std::vector<Wave> m_waves;
    std::vector<Memset> m_memsets;
    std::vector<std::uint32_t> m_freeGrids, m_freeWaves, m_freeMemsets; ///< places to use again
    std::vector<std::uint32_t> m_starved; ///< memsets that run without a slot, oldest first
    std::int64_t m_memoryBlocks = 0;      ///< placed blocks of memory-bound kernels
};

} // namespace olab::sim
