#include "option_rows.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace olab {
namespace {

using detail::Range;

constexpr Range kBufferSize{1, std::int64_t{64} << 30};
constexpr std::int64_t kMaxInt = 2147483647; // also CUDA's limit of grid.x, and what a spin box can hold

std::vector<OptionRow> stepRows() {
    using namespace detail;
    return {
        switchRow({"h2d", "Steps", "H2D copy",
                   "Copies the input from host to device (cudaMemcpyAsync). With pinned memory a copy engine "
                   "does it, without any "
                   "SM, so that it can run beside the kernels of other streams."},
                  &Experiment::h2d),
        switchRow({"memset", "Steps", "Memset",
                   "Clears a device buffer (cudaMemsetAsync). On device memory it usually runs as a small "
                   "kernel: it needs room on "
                   "the SMs and waits, or starves, when another grid fills them."},
                  &Experiment::memset),
        switchRow({"kernel", "Steps", "Kernel",
                   "Launches a kernel of fixed work on the SMs. Without it only copies, memsets and "
                   "callbacks are left to overlap."},
                  &Experiment::kernel),
        switchRow({"d2h", "Steps", "D2H copy",
                   "Copies the output from device to host (cudaMemcpyAsync). Where the device has a copy "
                   "engine for each direction "
                   "it can run beside H2D copies as well as beside kernels of other streams."},
                  &Experiment::d2h),
        switchRow(
            {"callback", "Steps", "Host callback",
             "Ends each pass with a host function (cudaLaunchHostFunc) on a thread of the CUDA driver. The "
             "stream does not go "
             "on before it has returned, and functions of several streams may run one after the other."},
            &Experiment::callback),
    };
}

std::vector<OptionRow> sizeAndMemoryRows() {
    using namespace detail;
    return {
        bytesRow({"h2d.bytes", "Sizes", "H2D bytes per copy",
                  "Size of each H2D copy. Copies of one direction share an engine and run one after the "
                  "other, so a large one "
                  "delays whatever is queued behind it; a tiny one is all latency."},
                 &Experiment::h2dBytes, kBufferSize),
        bytesRow({"d2h.bytes", "Sizes", "D2H bytes per copy",
                  "Size of each D2H copy. Copies of one direction share an engine and run one after the "
                  "other, so a large one "
                  "delays whatever is queued behind it; a tiny one is all latency."},
                 &Experiment::d2hBytes, kBufferSize),
        bytesRow({"memset.bytes", "Sizes", "Memset bytes",
                  "Size of each memset. It is written at the speed of device memory, so that even a large "
                  "one is short beside a "
                  "copy over the bus."},
                 &Experiment::memsetBytes, kBufferSize),
        choiceRow(
            {"h2d.memory", "Memory", "H2D source memory",
             "Host memory the H2D copy reads. A copy engine reads pinned memory by itself; pageable memory "
             "is staged through "
             "a pinned buffer by the driver, the call may wait for the stream, and the overlap is lost."},
            &Experiment::h2dMemory, {"pinned", "pageable"}),
        choiceRow({"d2h.memory", "Memory", "D2H target memory",
                   "Host memory the D2H copy writes. A copy engine writes pinned memory by itself; into "
                   "pageable memory the call "
                   "returns only when the copy is complete, so that the host can queue nothing meanwhile."},
                  &Experiment::d2hMemory, {"pinned", "pageable"}),
    };
}

std::vector<OptionRow> kernelRows() {
    using namespace detail;
    return {
        choiceRow({"kernel.kind", "Kernel", "Kernel kind",
                   "What bounds the kernel. compute: a chain of multiply-adds in registers, which leaves "
                   "memory bandwidth to the "
                   "copies; memory: it streams bytes through device memory and competes with the copies for "
                   "bandwidth."},
                  &Experiment::kernelKind, {"compute", "memory"}),
        integerRow({"kernel.us", "Kernel", "Kernel duration",
                    "How long the whole grid takes when it runs alone. The work is fixed (a loop count "
                    "calibrated on the device), "
                    "so a kernel that shares the SMs takes longer instead of doing less."},
                   &Experiment::kernelUs, {1, 1'000'000}, "us"),
        blocksRow({"kernel.blocks", "Kernel", "Blocks in the grid",
                   "Size of the grid. fill:F is F times what the device holds at once: from fill:1 on the "
                   "grid takes every place "
                   "on the SMs, and kernels and memsets of other streams have to wait; copies do not."},
                  &Experiment::kernelBlocks, {1, kMaxInt}),
        integerRow({"kernel.threads", "Kernel", "Threads per block",
                    "Threads of each block, in whole warps of 32. Together with registers it decides how "
                    "many blocks an SM holds "
                    "at once, and so how large a grid must be to fill the device."},
                   &Experiment::kernelThreads, {32, 1024, 32}),
    };
}

std::vector<OptionRow> streamRows() {
    using namespace detail;
    return {
        integerRow({"streams", "Streams", "Streams",
                    "How many CUDA streams run the pipeline side by side. Ops of one stream run in issue "
                    "order and never overlap "
                    "each other, so that with a single stream nothing overlaps."},
                   &Experiment::streams, {1, 128}),
        integerRow({"iterations", "Streams", "Iterations",
                    "How often each stream runs its whole pipeline. More of them keep the engines fed for "
                    "longer and make the "
                    "numbers steadier."},
                   &Experiment::iterations, {1, 100'000}),
        choiceRow({"stream.kind", "Streams", "Stream kind",
                   "nonblocking streams ignore the legacy NULL stream; blocking ones wait for its earlier "
                   "work, and it waits for "
                   "theirs. legacy runs the first pipeline in the NULL stream itself and the others in "
                   "blocking streams."},
                  &Experiment::streamKind, {"nonblocking", "blocking", "legacy"}),
        choiceRow({"null_op", "Streams", "Op on the NULL stream",
                   "Puts one small op on the legacy NULL stream between passes. For blocking streams it is a "
                   "barrier: it waits for "
                   "all that was issued before, and all that is issued after waits for it."},
                  &Experiment::nullOp, {"off", "memset", "kernel", "event"}),
    };
}

std::vector<OptionRow> orderRows() {
    using namespace detail;
    return {
        choiceRow({"order", "Order and sync", "Issue order",
                   "depth issues all steps of one stream before those of the next; breadth issues one step "
                   "for every stream, then "
                   "the next step. Engines and hardware queues serve what was issued first, so the order can "
                   "decide the overlap."},
                  &Experiment::order, {"depth", "breadth"}),
        switchRow({"gate", "Order and sync", "Start gate",
                   "Holds all streams until everything is queued, so that the device sets the pace and not "
                   "the host's launches. It "
                   "opens early, and the trace says so, when an issuing call has not returned for 2 ms."},
                  &Experiment::gate),
        choiceRow({"sync", "Order and sync", "Wait at the end",
                   "How the issuing thread waits for the end. device: one cudaDeviceSynchronize, which waits "
                   "for all streams of "
                   "the device, nonblocking ones too."},
                  &Experiment::sync, {"device"}),
    };
}

std::vector<OptionRow> recordingRows() {
    using namespace detail;
    return {
        integerRow({"warmup", "Recording", "Warm-up passes",
                    "Passes before the measured window. They load the kernels, touch the buffers and raise "
                    "the clocks, and are in "
                    "no count."},
                   &Experiment::warmup, {0, 100}),
        integerRow({"repeat", "Recording", "Repeats",
                    "Runs the whole experiment again. The report is of the median run by makespan; all runs "
                    "are kept."},
                   &Experiment::repeat, {1, 100}),
        choiceRow(
            {"trace", "Recording", "Tracing",
             "Whether CUPTI records the run. both: alternately with CUPTI and without, in processes of their "
             "own, which shows "
             "how much the recording itself slows the run; off: no activity is recorded, only the makespan."},
            &Experiment::trace, {"both", "on", "off"}),
        integerRow({"seed", "Recording", "Seed",
                    "Start of everything pseudo-random: the same seed gives the same simulated run to the "
                    "nanosecond. The timing "
                    "of a real device does not depend on it."},
                   &Experiment::seed, {0, kMaxInt}),
    };
}

std::vector<OptionRow> simulatorRows() {
    using namespace detail;
    return {
        modelRow(
            {"sim.device", "Simulator", "Simulated device",
             "The device model that the simulator plays: a built-in one, or file:PATH for one that 'olab "
             "calibrate' measured on a device of yours. A run on the GPU does not look at it."},
            &Experiment::simDevice, {"h200"}),
    };
}

/// Order of the form; rows of one group stand together.
std::vector<OptionRow> allRows() {
    std::vector<OptionRow> rows;
    for (const auto section :
         {stepRows, sizeAndMemoryRows, kernelRows, streamRows, orderRows, recordingRows, simulatorRows}) {
        std::vector<OptionRow> part = section();
        std::move(part.begin(), part.end(), std::back_inserter(rows));
    }
    return rows;
}

} // namespace

std::string_view optionTypeName(OptionType type) {
    constexpr std::array<std::string_view, 6> kNames{"switch", "integer", "bytes",
                                                     "choice", "blocks",  "model"};
    return kNames[static_cast<std::size_t>(type)];
}

std::span<const OptionRow> optionTable() {
    static const std::vector<OptionRow> table = allRows();
    return table;
}

const OptionRow* findOption(std::string_view key) {
    const auto table = optionTable();
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const OptionRow& r) { return r.key == key; });
    return row == table.end() ? nullptr : &*row;
}

std::string optionDefault(const OptionRow& row) {
    return row.get(Experiment{});
}

std::string optionAllowed(const OptionRow& row) {
    const Range range{row.min, row.max, row.step};
    switch (row.type) {
    case OptionType::Integer:
        return detail::allowedInteger(range);
    case OptionType::Bytes:
        return detail::allowedBytes(range);
    case OptionType::Blocks:
        return detail::allowedBlocks(range);
    case OptionType::Model:
        return detail::allowedModel(row.choices);
    case OptionType::Switch:
    case OptionType::Choice:
        break;
    }
    return detail::allowedChoice(row.choices);
}

} // namespace olab
