// Loops of CUDA calls with one mistake or two (bad), and with the mistake mended. See loop_runner.py for what
// the modes print; runner.cpp has the same for these.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// A built variant: step(i) runs iteration i, finish() closes what was opened.
class Program {
public:
    virtual ~Program() = default;
    virtual void step(int i) = 0;
    virtual void finish() {}
    virtual double result() { return 0; } ///< what all variants have to agree on, after as many iterations
};

struct Pair {
    std::string name;
    std::vector<std::string> expected; ///< ids of causes; any of them is right
    std::vector<std::string> remedy;   ///< ids of the cause that `mended` takes away
    std::function<std::unique_ptr<Program>(bool mended)> make;
    bool healthy = false;                  ///< one variant, nothing worth mending
    std::vector<std::string> allowed = {}; ///< what may be named in the mended or healthy program
    bool fresh = false;                    ///< each measurement needs a process of its own
    /// What the account may name in `mended`, and a program that mends it too: timed, not recorded.
    std::vector<std::string> further = {};
    std::function<std::unique_ptr<Program>()> makeFurther = {};
    bool recordsMended = true;
};

/// Ends the program with a message.
void check(cudaError_t result, const char* call, int line);
#define CHECK(call) check(call, #call, __LINE__)

/// A kernel of some length: `rounds` steps of dependent arithmetic on each of `count` values.
void mix(float* values, size_t count, int rounds, cudaStream_t stream);
/// One block, a few microseconds.
void touch(float* values, cudaStream_t stream);
/// Each of 64 kernels once, at its first use loaded by the driver.
void mixOneOf64(int which, float* values, size_t count, int rounds, cudaStream_t stream);
/// Takes so long on the host.
void workOnHost(int microseconds);

std::vector<Pair> copyPairs();
std::vector<Pair> orderPairs();
std::vector<Pair> hostPairs();
std::vector<Pair> morePairs();
std::vector<Pair> thirdPairs();
std::vector<Pair> thirdMemoryPairs();
std::vector<Pair> fourthPairs();
std::vector<Pair> fifthPairs();
std::vector<Pair> fifthHostPairs();
std::vector<Pair> sixthPairs();
std::vector<Pair> seventhPairs();
std::vector<Pair> eighthPairs();
std::vector<Pair> ninthPairs();
std::vector<Pair> ninthMorePairs();
std::vector<Pair> tenthPairs();
std::vector<Pair> tenthHealthyPairs();
std::vector<Pair> eleventhPairs();
std::vector<Pair> eleventhMorePairs();
std::vector<Pair> eleventhHealthyPairs();
std::vector<Pair> twelfthPairs();
std::vector<Pair> twelfthMorePairs();
std::vector<Pair> twelfthHealthyPairs();
std::vector<Pair> thirteenthPairs();
std::vector<Pair> thirteenthHealthyPairs();
std::vector<Pair> fourteenthPairs();
std::vector<Pair> fourteenthMorePairs();
std::vector<Pair> fourteenthHealthyPairs();
std::vector<Pair> fifteenthPairs();
std::vector<Pair> fifteenthMorePairs();
std::vector<Pair> fifteenthHealthyPairs();
std::vector<Pair> sixteenthPairs();
std::vector<Pair> sixteenthHealthyPairs();
std::vector<Pair> seventeenthPairs();
std::vector<Pair> seventeenthHealthyPairs();
std::vector<Pair> eighteenthPairs();
std::vector<Pair> eighteenthHealthyPairs();
std::vector<Pair> nineteenthPairs();
std::vector<Pair> nineteenthHealthyPairs();
std::vector<Pair> spelledPairs();
