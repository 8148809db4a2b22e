// The ranks of a made-up training run, each as PyTorch would have recorded it: steps with a copy, kernels and
// an all-reduce that ends on all ranks together, however late one of them comes to it.
#pragma once

#include "import/chrome_text.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <vector>

namespace olab::test {

struct MadeRun {
    int ranks = 4, steps = 20;
    Ns step = 1'000'000;                 ///< from one to the next, about
    Ns scatter = 60'000;                 ///< of when a rank comes to its collective
    Ns jitter = 2'000;                   ///< of the ends of one collective
    Ns base = 1'700'000'000'000'000'000; ///< wall time of 0
    bool saysBase = true;                ///< in the file
    bool saysRank = true;
    std::function<Ns(int)> clockError = [](int) { return Ns{0}; };          ///< of a rank
    std::function<Ns(int)> late = [](int) { return Ns{0}; };                ///< what a rank comes later by
    std::function<bool(int, int)> missing = [](int, int) { return false; }; ///< rank, step
    bool collectives = true;
};

inline std::string micros(Ns time) {
    const std::string digits = std::to_string(time % 1000);
    return std::to_string(time / 1000) + "." + std::string(3 - digits.size(), '0') + digits;
}

inline std::string madeEvent(std::string_view category, std::string_view name, Ns begin, Ns end, int stream) {
    const bool isCopy = category == "gpu_memcpy";
    return R"({"ph": "X", "cat": ")" + std::string(category) + R"(", "name": ")" + std::string(name) +
           R"(", "pid": 0, "tid": )" + std::to_string(stream) + ", \"ts\": " + micros(begin) +
           ", \"dur\": " + micros(end - begin) + R"(, "args": {"device": 0, "context": 1, "stream": )" +
           std::to_string(stream) + ", \"correlation\": 5" +
           (isCopy ? ", \"bytes\": 4096}}" : R"(, "grid": [2, 1, 1], "block": [64, 1, 1]}})");
}

/// The text of each rank's file.
inline std::vector<std::string> madeRanks(const MadeRun& run) {
    std::mt19937 random(7);
    const auto upTo = [&random](Ns most) { return most == 0 ? 0 : static_cast<Ns>(random()) % most; };
    std::vector<std::string> events(static_cast<std::size_t>(run.ranks));
    Ns now = 5'000'000;
    for (int step = 0; step < run.steps; ++step) {
        const Ns begin = now + upTo(run.scatter);
        std::vector<Ns> arrivals;
        Ns last = 0;
        for (int rank = 0; rank < run.ranks; ++rank) {
            arrivals.push_back(begin + 300'000 + upTo(run.scatter) + run.late(rank));
            last = std::max(last, arrivals.back());
        }
        for (int rank = 0; rank < run.ranks; ++rank) {
            const Ns wrong = run.clockError(rank), from = begin + wrong;
            const Ns arrived = arrivals[static_cast<std::size_t>(rank)] + wrong;
            const Ns end = last + 200'000 + upTo(run.jitter) + wrong;
            if (run.missing(rank, step))
                continue;
            std::string& text = events[static_cast<std::size_t>(rank)];
            const auto add = [&text](const std::string& event) {
                text += (text.empty() ? "" : ",\n") + event;
            };
            add(madeEvent("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", from, from + 90'000, 9));
            add(madeEvent("kernel", "gemm", from + 50'000, arrived - 1'000, 7));
            if (run.collectives)
                add(madeEvent("kernel",
                              "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                              arrived, end, 8));
        }
        now += run.step;
    }
    std::vector<std::string> files;
    for (int rank = 0; rank < run.ranks; ++rank) {
        std::string before = "\"schemaVersion\": 1, ";
        if (run.saysBase)
            before += "\"baseTimeNanoseconds\": " + std::to_string(run.base) + ", ";
        if (run.saysRank)
            before +=
                "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + std::to_string(rank) + "}, ";
        files.push_back(testing_import::object(events[static_cast<std::size_t>(rank)], before));
    }
    return files;
}

} // namespace olab::test
