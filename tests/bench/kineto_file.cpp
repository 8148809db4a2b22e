#include "kineto_file.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace olab::bench {
namespace {

constexpr std::size_t kNames = 32, kStreams = 8;
constexpr unsigned kPid = 48211;

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

/// Numbers that look random and are the same everywhere.
class Numbers {
public:
    std::uint64_t below(std::uint64_t limit) {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return (z ^ (z >> 31)) % limit;
    }

private:
    std::uint64_t m_state = 1;
};

std::vector<std::string> kernelNames() {
    const std::string pieces[] = {"at::native::vectorized_elementwise_kernel<4, ",
                                  "cutlass::gemm::GemmUniversal<", "at::detail::Array<char*, 3>",
                                  "c10::BFloat16, float, ", "std::array<char*, 2ul>, "};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kNames; ++i) {
        std::string name = i % 4 == 0 ? "nvjet_tst_" : "void ";
        const std::size_t length = 20 + i * i * 2 / 5;
        for (std::size_t p = i; name.size() < length; ++p)
            name += pieces[p % std::size(pieces)];
        names.push_back(name + ">(int" + std::to_string(i) + ")");
    }
    return names;
}

struct Op {
    std::uint64_t begin = 0, length = 0, callBegin = 0, callLength = 0; // ns
    std::uint64_t number = 0;
    unsigned device = 0, stream = 0, kind = 0, name = 0; ///< kind: 0 kernel, 1 HtoD, 2 DtoH, 3 DtoD, 4 memset
    std::uint64_t bytes = 0;
};

Op nextOp(std::uint64_t number, Numbers& random, std::array<std::uint64_t, 2 * kStreams>& free,
          std::uint64_t& host) {
    Op op;
    op.number = number;
    const std::uint64_t dice = random.below(1000);
    op.kind = dice < 680 ? 0 : dice < 820 ? 1 : dice < 940 ? 2 : dice < 967 ? 3 : 4;
    op.device = static_cast<unsigned>(random.below(2));
    constexpr unsigned kStreamOf[] = {0, 4, 5, 7, 7};
    op.stream = kStreamOf[op.kind] + (op.kind == 0 ? static_cast<unsigned>(random.below(4)) : 0);
    op.name = static_cast<unsigned>(random.below(kNames));
    host += 700 + random.below(1200);
    op.callBegin = host, op.callLength = 1500 + random.below(4000);
    std::uint64_t& ready = free[op.device * kStreams + op.stream];
    op.begin = std::max(ready, op.callBegin + op.callLength + 800) + random.below(300);
    op.length = 900 + random.below(op.kind == 0 ? 9000 : 12000);
    op.bytes = std::uint64_t{4096} << random.below(12);
    ready = op.begin + op.length;
    return op;
}

void put(std::FILE* file, const Op& op, const std::string& name) {
    const auto us = [](std::uint64_t ns) { return std::pair{ns / 1000, static_cast<unsigned>(ns % 1000)}; };
    const std::uint64_t base = 1'365'627'862'000'000;
    const auto [ts, tsNs] = us(base + op.begin);
    const auto [dur, durNs] = us(op.length);
    const unsigned stream = 7 + op.stream * 4;
    const std::uint64_t id = op.number + 1;
    if (op.kind == 0)
        std::fprintf(
            file,
            "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": %u, \"tid\": %u,\n    "
            "\"ts\": %lu.%03u, "
            "\"dur\": %lu.%03u,\n    \"args\": {\n      \"External id\": %lu, \"queued\": 0, \"device\": %u, "
            "\"context\": 1,\n      \"stream\": %u, \"correlation\": %lu,\n      \"registers per thread\": "
            "%u,\n      "
            "\"shared memory\": %u,\n      \"blocks per SM\": %u.%u,\n      \"warps per SM\": %u.%u,\n      "
            "\"grid\": "
            "[%u, 1, 1],\n      \"block\": [%u, 1, 1],\n      \"est. achieved occupancy %%\": %u\n    }\n  "
            "},\n",
            name.c_str(), op.device, stream, ts, tsNs, dur, durNs, id / 3, op.device, stream, id,
            32 + op.name, op.name * 512, op.name, op.name * 7, op.name * 8, op.name * 3, 132 + op.name,
            128u << (op.name % 3), 10 + op.name);
    else if (op.kind < 4) {
        constexpr const char* kCopies[] = {"HtoD (Pinned -> Device)", "DtoH (Device -> Pinned)",
                                           "DtoD (Device -> Device)"};
        std::fprintf(file,
                     "  {\n    \"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy %s\", \"pid\": %u, "
                     "\"tid\": %u,\n    \"ts\": "
                     "%lu.%03u, \"dur\": %lu.%03u,\n    \"args\": {\n      \"External id\": %lu, \"device\": "
                     "%u, \"context\": "
                     "1,\n      \"stream\": %u, \"correlation\": %lu,\n      \"bytes\": %lu, \"memory "
                     "bandwidth (GB/s)\": "
                     "%.17g\n    }\n  },\n",
                     kCopies[op.kind - 1], op.device, stream, ts, tsNs, dur, durNs, id / 3, op.device, stream,
                     id, op.bytes, static_cast<double>(op.bytes) / static_cast<double>(op.length));
    } else
        std::fprintf(file,
                     "  {\n    \"ph\": \"X\", \"cat\": \"gpu_memset\", \"name\": \"Memset (Device)\", "
                     "\"pid\": %u, \"tid\": %u,\n    "
                     "\"ts\": %lu.%03u, \"dur\": %lu.%03u,\n    \"args\": {\n      \"External id\": %lu, "
                     "\"device\": %u, "
                     "\"context\": 1,\n      \"stream\": %u, \"correlation\": %lu,\n      \"bytes\": %lu, "
                     "\"memory bandwidth "
                     "(GB/s)\": %.17g\n    }\n  },\n",
                     op.device, stream, ts, tsNs, dur, durNs, id / 3, op.device, stream, id, op.bytes,
                     static_cast<double>(op.bytes) / static_cast<double>(op.length));
    const auto [call, callNs] = us(base + op.callBegin);
    const auto [took, tookNs] = us(op.callLength);
    constexpr const char* kCalls[] = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemcpyAsync",
                                      "cudaMemcpyAsync", "cudaMemsetAsync"};
    constexpr unsigned kCbids[] = {211, 41, 41, 41, 51};
    const unsigned thread = kPid + op.device;
    std::fprintf(file,
                 "  {\n    \"ph\": \"f\", \"id\": %lu, \"pid\": %u, \"tid\": %u, \"ts\": %lu.%03u,\n    "
                 "\"cat\": \"ac2g\", \"name\": "
                 "\"ac2g\", \"bp\": \"e\"\n  },\n  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", "
                 "\"name\": \"%s\", \"pid\": %u, "
                 "\"tid\": %u,\n    \"ts\": %lu.%03u, \"dur\": %lu.%03u,\n    \"args\": {\n      \"External "
                 "id\": %lu, \"cbid\": "
                 "%u, \"correlation\": %lu\n    }\n  },\n  {\n    \"ph\": \"s\", \"id\": %lu, \"pid\": %u, "
                 "\"tid\": %u, \"ts\": "
                 "%lu.%03u,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n",
                 id, op.device, stream, ts, tsNs, kCalls[op.kind], kPid, thread, call, callNs, took, tookNs,
                 id / 3, kCbids[op.kind], id, id, kPid, thread, call, callNs);
}

void putHead(std::FILE* file) {
    std::fputs("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n", file);
    for (int device = 0; device < 2; ++device)
        std::fprintf(file,
                     "    {\n      \"id\": %d, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": "
                     "85018279936,\n      "
                     "\"computeMajor\": 9, \"computeMinor\": 0, \"maxThreadsPerMultiprocessor\": 2048, "
                     "\"numSms\": 132\n    "
                     "}%s\n",
                     device, device == 0 ? "," : "");
    std::fputs("  ],\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1751410836000000000,\n  "
               "\"traceEvents\": "
               "[\n",
               file);
}

} // namespace

void writeKinetoFile(const std::filesystem::path& path, std::size_t count) {
    const File file(std::fopen(path.c_str(), "w"));
    if (!file)
        throw std::runtime_error("cannot write " + path.string());
    putHead(file.get());
    const std::vector<std::string> names = kernelNames();
    Numbers random;
    std::array<std::uint64_t, 2 * kStreams> free{};
    std::uint64_t host = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Op op = nextOp(i, random, free, host);
        put(file.get(), op, names[op.name]);
    }
    std::fputs(
        "  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": 1365627862000.000, \"pid\": 48211, "
        "\"tid\": 0,\n    "
        "\"args\": {\n      \"name\": \"python3\"\n    }\n  }\n  ],\n  \"traceName\": \"bench.json\"\n}\n",
        file.get());
}

} // namespace olab::bench
