// The modes of loop_runner.py for the programs in C++:
//   olab_gpu_programs list
//   olab_gpu_programs truth PAIR... [--rounds 5] [--iterations 24] [--fresh VARIANT]
//   olab_gpu_programs plain PAIR VARIANT [--iterations 24]          to be recorded by another program
//   olab_gpu_programs capture PAIR VARIANT --library LIB --file OUT [--iterations 24]
#include "programs.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>

namespace {

constexpr int warmUp = 10;
constexpr int settle = 2;
constexpr int captureWarmUp = 4;

struct Arguments {
    std::string mode;
    Texts pairs;
    std::map<std::string, std::string> options;

    Arguments(int count, char** values) {
        if (count > 1)
            mode = values[1];
        for (int n = 2; n < count; ++n) {
            const std::string text = values[n];
            if (text.rfind("--", 0) != 0)
                pairs.push_back(text);
            else if (n + 1 < count)
                options[text.substr(2)] = values[++n];
        }
    }
    std::string option(const std::string& name, const std::string& otherwise = "") const {
        const auto found = options.find(name);
        return found == options.end() ? otherwise : found->second;
    }
    int number(const std::string& name, int otherwise) const {
        return std::atoi(option(name, std::to_string(otherwise)).c_str());
    }
};

constexpr std::vector<Pair> (*kSubjects[])() = {
    headOfLinePairs, pageablePairs,  picturePairs,       smallCopyPairs,  copyStreamPairs,
    callbackPairs,   latePairs,      launchPairs,        readPairs,       waitPairs,
    allocationPairs, managedPairs,   deviceWorkPairs,    eventPairs,      nullStreamPairs,
    graphPairs,      streamingPairs, hostStreamingPairs, simulationPairs, crowdPairs,
};

std::vector<Pair> allPairs() {
    std::vector<Pair> all;
    for (const auto subject : kSubjects)
        for (Pair& pair : subject()) {
            pair.name = "cuda_" + pair.name;
            if (pair.removes.empty())
                pair.removes = pair.expected;
            all.push_back(std::move(pair));
        }
    return all;
}

bool isHealthy(const Pair& pair) {
    return pair.expected.empty();
}

Texts recordedVariants(const Pair& pair) {
    if (isHealthy(pair))
        return {"healthy"};
    return pair.recordsMended ? Texts{"bad", "mended"} : Texts{"bad"};
}

Texts variants(const Pair& pair) {
    return isHealthy(pair) ? Texts{"healthy"} : Texts{"bad", "mended"};
}

const Pair& pairOf(const std::vector<Pair>& all, const std::string& name) {
    for (const Pair& pair : all)
        if (pair.name == name)
            return pair;
    std::fprintf(stderr, "no pair %s\n", name.c_str());
    std::exit(2);
}

std::string quoted(const Texts& texts) {
    std::string list;
    for (const std::string& text : texts)
        list += (list.empty() ? "\"" : ", \"") + text + "\"";
    return "[" + list + "]";
}

int list(const std::vector<Pair>& all) {
    for (const Pair& pair : all)
        std::printf("{\"name\": \"%s\", \"framework\": \"cuda\", \"expected\": %s, \"removes\": %s, "
                    "\"variants\": %s, \"allowed\": %s, \"further\": [], \"recorded\": %s, \"fresh\": %s}\n",
                    pair.name.c_str(), quoted(pair.expected).c_str(), quoted(pair.removes).c_str(),
                    quoted(variants(pair)).c_str(), quoted(pair.allowed).c_str(),
                    quoted(recordedVariants(pair)).c_str(), pair.fresh ? "true" : "false");
    return 0;
}

/// A built variant that counts its iterations.
struct Loop {
    std::unique_ptr<Program> program;
    int next = 0;

    Loop(const Pair& pair, const std::string& variant)
        : program(pair.make(variant == "mended")) {}
    ~Loop() {
        program->finish();
        CHECK(cudaDeviceSynchronize());
        const cudaError_t launches = cudaGetLastError();
        CHECK(launches == cudaErrorNotReady ? cudaSuccess : launches); // of one who asked
    }
    void run(int iterations) {
        for (int n = 0; n < iterations; ++n)
            program->step(next++);
    }
    long long timed(int iterations) {
        CHECK(cudaDeviceSynchronize());
        const auto begin = std::chrono::steady_clock::now();
        run(iterations);
        CHECK(cudaDeviceSynchronize());
        const auto end = std::chrono::steady_clock::now();
        return std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count() / iterations;
    }
};

using Times = std::map<std::string, Texts>;

/// Whether all variants computed the same.
bool agree(const Pair& pair, std::map<std::string, Loop>& loops) {
    const double first = loops.begin()->second.program->result();
    bool same = true;
    for (auto& [variant, loop] : loops) {
        const double result = loop.program->result();
        std::fprintf(stderr, "%s %s: result %.9g\n", pair.name.c_str(), variant.c_str(), result);
        same = same && std::isfinite(result) && std::fabs(result - first) <= 1e-5 * std::fabs(first);
    }
    return same;
}

Times timesOf(const Pair& pair, const Arguments& arguments, bool& same) {
    Times times;
    const int iterations = arguments.number("iterations", 24);
    const std::string fresh = arguments.option("fresh");
    if (!fresh.empty()) {
        times[fresh] = {std::to_string(Loop(pair, fresh).timed(iterations))};
        return times;
    }
    std::map<std::string, Loop> loops;
    for (const std::string& variant : variants(pair))
        loops.try_emplace(variant, pair, variant).first->second.run(warmUp);
    for (int round = 0; round < arguments.number("rounds", 5); ++round)
        for (auto& [variant, loop] : loops) {
            loop.run(settle);
            times[variant].push_back(std::to_string(loop.timed(iterations)));
        }
    same = agree(pair, loops);
    return times;
}

int truth(const std::vector<Pair>& all, const Arguments& arguments) {
    Texts names = arguments.pairs;
    if (names.empty() || names[0] == "all") {
        names.clear();
        for (const Pair& pair : all)
            if (!pair.fresh)
                names.push_back(pair.name);
    }
    for (const std::string& name : names) {
        std::string text;
        bool same = true;
        for (const auto& [variant, times] : timesOf(pairOf(all, name), arguments, same)) {
            text += (text.empty() ? "\"" : ", \"") + variant + "_ns\": [";
            for (size_t n = 0; n < times.size(); ++n)
                text += (n ? ", " : "") + times[n];
            text += "]";
        }
        std::printf("{\"pair\": \"%s\", \"framework\": \"cuda\", \"variant times\": {%s}%s}\n", name.c_str(),
                    text.c_str(), same ? "" : ", \"error\": \"the results differ\"");
        std::fflush(stdout);
    }
    return 0;
}

/// The capture library through its C interface.
struct Capture {
    void* library = nullptr;

    explicit Capture(const std::string& path)
        : library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (!library) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::exit(1);
        }
    }
    template <class F>
    F function(const char* name) const {
        return reinterpret_cast<F>(dlsym(library, name));
    }
    void checked(int result, const char* call) const {
        if (result == 0)
            return;
        std::fprintf(stderr, "%s: %d %s\n", call, result,
                     function<const char* (*)()>("olabCaptureMessage")());
        std::exit(1);
    }
    void start(const std::string& file) const {
        checked(function<int (*)(const char*, const void*)>("olabCaptureStart")(file.c_str(), nullptr),
                "olabCaptureStart");
    }
    void stop() const { checked(function<int (*)()>("olabCaptureStop")(), "olabCaptureStop"); }
};

/// What another program records, from its start to its end.
int plain(const std::vector<Pair>& all, const Arguments& arguments) {
    if (arguments.pairs.size() != 2)
        return std::fprintf(stderr, "plain needs PAIR VARIANT\n"), 2;
    const Pair& pair = pairOf(all, arguments.pairs[0]);
    Loop loop(pair, arguments.pairs[1]);
    if (!pair.fresh)
        loop.run(captureWarmUp);
    loop.run(arguments.number("iterations", 24));
    CHECK(cudaDeviceSynchronize());
    std::printf("{\"pair\": \"%s\", \"variant\": \"%s\"}\n", pair.name.c_str(), arguments.pairs[1].c_str());
    return 0;
}

int capture(const std::vector<Pair>& all, const Arguments& arguments) {
    if (arguments.pairs.size() != 2 || arguments.option("library").empty() ||
        arguments.option("file").empty()) {
        std::fprintf(stderr, "capture needs PAIR VARIANT --library LIB --file OUT\n");
        return 2;
    }
    const Pair& pair = pairOf(all, arguments.pairs[0]);
    const Capture capture(arguments.option("library"));
    capture.start(arguments.option("file"));
    Loop loop(pair, arguments.pairs[1]);
    if (!pair.fresh)
        loop.run(captureWarmUp);
    const auto begin = std::chrono::steady_clock::now();
    const int iterations = arguments.number("iterations", 24);
    loop.run(iterations);
    CHECK(cudaDeviceSynchronize());
    const auto end = std::chrono::steady_clock::now();
    capture.stop();
    std::printf("{\"pair\": \"%s\", \"variant\": \"%s\", \"file\": \"%s\", \"traced_ns\": %lld}\n",
                pair.name.c_str(), arguments.pairs[1].c_str(), arguments.option("file").c_str(),
                static_cast<long long>((end - begin).count()) / iterations);
    return 0;
}

} // namespace

int main(int count, char** values) {
    const Arguments arguments(count, values);
    const std::vector<Pair> all = allPairs();
    if (arguments.mode == "list")
        return list(all);
    if (arguments.mode == "truth")
        return truth(all, arguments);
    if (arguments.mode == "capture")
        return capture(all, arguments);
    if (arguments.mode == "plain")
        return plain(all, arguments);
    std::fprintf(stderr, "usage: olab_gpu_programs list | truth PAIR... | plain PAIR VARIANT | "
                         "capture PAIR VARIANT --library LIB --file OUT\n");
    return 2;
}
