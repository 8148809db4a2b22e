// Loops of CUDA calls with one mistake or two (bad), and with the mistake mended. See loop_runner.py for what
// the modes print; runner.cpp has the same for these. A share at the end of a comment is that of its time
// which a step is estimated to lose by the mistake, on an H100 or H200.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// A built variant: step(i) runs iteration i, finish() closes what was opened. The device has ended all when
/// it goes.
class Program {
public:
    virtual ~Program() = default;
    virtual void step(int i) = 0;
    virtual void finish() {}
    virtual double result() { return 0; } ///< what all variants have to agree on, after as many iterations
};

class Mendable : public Program {
public:
    explicit Mendable(bool mended)
        : mended_(mended) {}

protected:
    const bool mended_;
};

using Texts = std::vector<std::string>;

struct Pair {
    std::string name;
    Texts
        expected; ///< ids of causes; any of them is right. None: healthy, one variant, nothing worth mending
    std::function<std::unique_ptr<Program>(bool mended)> make;
    Texts allowed = {}; ///< what may be named in the mended or healthy program
    Texts removes = {}; ///< ids of the causes that `mended` takes away together; none: the expected ones
    bool recordsMended = true;
    bool fresh = false; ///< each measurement needs a process of its own
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

template <class P>
Pair healthy(const char* name, const Texts& allowed = {}) {
    return {name, {}, [](bool) { return std::make_unique<P>(); }, allowed};
}

/// Ends the program with a message.
void check(cudaError_t result, const char* call, int line);
#define CHECK(call) check(call, #call, __LINE__)

/// Takes so long on the host.
void workOnHost(int microseconds);

/// A kernel of some length: `rounds` steps of dependent arithmetic on each of `count` values.
void mix(float* values, size_t count, int rounds, cudaStream_t stream);
/// One block, a few microseconds.
void touch(float* values, cudaStream_t stream);

constexpr int weights = 64;
struct Weights {
    float of[weights];
};
/// All values go `rounds` times through a filter. 64 blocks, so that two such kernels run beside each other;
/// 2^20 values and 100 rounds take about 0.9 ms.
void filter(float* values, size_t count, const Weights& by, int rounds, cudaStream_t stream);

/// A step of a field in time; 2^22 values and 15000 rounds take about 2.3 ms. `settings` are 4096 values.
void advanceField(const float* from, float* to, size_t count, const float* settings, int rounds,
                  cudaStream_t stream);

// ../copies
std::vector<Pair> headOfLinePairs();
std::vector<Pair> pageablePairs();
std::vector<Pair> picturePairs();
std::vector<Pair> smallCopyPairs();
std::vector<Pair> copyStreamPairs();
std::vector<Pair> streamingPairs();
// ../host
std::vector<Pair> callbackPairs();
std::vector<Pair> hostStreamingPairs();
std::vector<Pair> latePairs();
std::vector<Pair> launchPairs();
std::vector<Pair> readPairs();
std::vector<Pair> waitPairs();
// ../memory
std::vector<Pair> allocationPairs();
std::vector<Pair> managedPairs();
// ../order
std::vector<Pair> deviceWorkPairs();
std::vector<Pair> eventPairs();
std::vector<Pair> nullStreamPairs();
std::vector<Pair> simulationPairs();
// ../graphs
std::vector<Pair> crowdPairs();
std::vector<Pair> graphPairs();
