// The kernels of a program: fixed work of calibrated length that checks the results of earlier steps, as the
// lab's own kernel does; and the calibration.
#include "program.h"

namespace olab::code {
namespace {

void writePattern(CodeWriter& out, const Program& p) {
    if (!p.e.h2d && !p.outputs)
        return;
    out.add("// What an H2D copy brings.");
    out.begin("constexpr __host__ __device__ unsigned pattern(size_t i, int number) {");
    out.add("return (unsigned(i) * 2654435761u ^ (" + std::to_string(p.e.seed) +
            "u + unsigned(number)) * 0x9e3779b9u) | 1u;")
        .by({"seed"});
    out.end();
    if (p.outputs) {
        out.add("// What the kernel makes of it.");
        out.begin("constexpr __host__ __device__ unsigned result(size_t i, int number, int pass) {", {"d2h"});
        out.add("return pattern(i, number) * 3u + 1u + unsigned(pass) * 0x01000193u;").by({"d2h"});
        out.end();
    }
}

bool samples(const Program& p) {
    return p.e.kernel && (p.copiesIn || p.e.memset || p.copiesOut);
}

void writeSampling(CodeWriter& out, const Program& p) {
    if (!samples(p))
        return;
    out.add("// A thread looks at one word of a buffer.");
    out.begin("constexpr __host__ __device__ size_t wordOf(size_t thread, size_t words, size_t threads) {");
    out.add("return words > threads ? thread * (words / threads) : thread;");
    out.end();
    if ((p.copiesIn && !p.toConstant) || p.e.memset)
        out.add(
            "constexpr unsigned used = 0xdeadbee0u; // left behind: a step that is late or missing shows");
}

void writeConstants(CodeWriter& out, const Program& p) {
    if (p.toConstant)
        out.add("__constant__ unsigned constants[" + std::string("streams * sliceBytes / sizeof(unsigned)];"))
            .by({"h2d.target"});
}

void writeSampledCheck(CodeWriter& out, const std::string& buffer, const std::string& words,
                       const std::string& expected, Keys keys) {
    out.begin("if (t < " + words + ") {", keys);
    out.add("const size_t i = wordOf(t, " + words + ", threads);").by(keys);
    out.add("wrong += p." + buffer + "[i] != " + expected + ";").by(keys);
    out.add("p." + buffer + "[i] = used;").by(keys);
    out.end();
}

void writeReading(CodeWriter& out, const Program& p) {
    const std::string words = p.h2dBytes() + " / sizeof(unsigned)";
    if (p.toConstant) {
        const std::string number = p.allDevices ? "p.number % streams" : "p.number";
        out.begin("if (t < " + words + ") {", {"h2d.target"});
        out.add("const size_t i = wordOf(t, " + words + ", threads);").by({"h2d.target"});
        out.add("wrong += constants[" + number +
                " * (sliceBytes / sizeof(unsigned)) + i] != pattern(i, p.number);")
            .by({"h2d.target"});
        out.end();
    } else if (p.copiesIn) {
        writeSampledCheck(out, "input", words, "pattern(i, p.number)", {"h2d"});
    }
    if (p.e.memset)
        writeSampledCheck(out, "scratch", "memsetBytes / sizeof(unsigned)", "0", {"memset"});
    if (p.readsInPlace) {
        out.beginLoop("for (size_t i = t; errors && i < " + words + "; i += threads)", {"h2d.memory"});
        out.add("wrong += p.source[i] != pattern(i, p.number); // over the bus").by({"h2d.memory"});
        out.endLoop();
    }
}

void writeWriting(CodeWriter& out, const Program& p) {
    const std::string words = "d2hBytes / sizeof(unsigned)";
    if (p.copiesOut) {
        out.begin("if (t < " + words + ") {", {"d2h"});
        out.add("const size_t i = wordOf(t, " + words + ", threads);").by({"d2h"});
        out.add("p.output[i] = result(i, p.number, pass);").by({"d2h"});
        out.end();
    }
    if (p.writesInPlace) {
        out.beginLoop("for (size_t i = t; errors && i < " + words + "; i += threads)", {"d2h.memory"});
        out.add("p.target[i] = result(i, p.number, pass); // over the bus").by({"d2h.memory"});
        out.endLoop();
    }
}

void writeLoops(CodeWriter& out, const Program& p) {
    if (p.e.kernelKind == experiment::KernelKind::Compute) {
        out.add("float x = threadIdx.x * 1e-6f;").by({"kernel.kind"});
        out.add("for (long long n = 0; n < loops; ++n) {").by({"kernel.kind"});
        out.add("#pragma unroll").by({"kernel.kind"});
        out.add("    for (int k = 0; k < 32; ++k)").by({"kernel.kind"});
        out.add("        x = __fmaf_rn(x, 0.999999f, 1e-6f); // each needs the one before")
            .by({"kernel.kind"});
        out.add("}").by({"kernel.kind"});
    } else {
        out.add("float x = 0;").by({"kernel.kind"});
        out.add("size_t at = t;").by({"kernel.kind"});
        out.add("#pragma unroll 4").by({"kernel.kind"});
        out.add("for (long long n = 0; n < loops; ++n, at += threads) {").by({"kernel.kind"});
        out.add("    const float4 v = __ldcs(streamed + (at & (streamedBytes / sizeof(float4) - 1)));")
            .by({"kernel.kind"});
        out.add("    x += v.x + v.y + v.z + v.w;").by({"kernel.kind"});
        out.add("}").by({"kernel.kind"});
    }
    out.beginLoop("if (x == 12345.678f)");
    out.add("++wrong; // never: it keeps the compiler from dropping the loop");
    out.endLoop();
}

bool needsThreads(const Program& p) {
    return p.inputs || p.outputs || p.e.kernelKind == experiment::KernelKind::Memory;
}

void writeWork(CodeWriter& out, const Program& p) {
    if (!p.e.kernel)
        return;
    const bool memory = p.e.kernelKind == experiment::KernelKind::Memory;
    if (memory)
        out.add("constexpr size_t streamedBytes = 256 << 20;").by({"kernel.kind"});
    out.add("// Fixed work, not a wait: a kernel that shares the SMs takes longer. Without `errors` it is "
            "being")
        .by({"kernel"});
    out.add("// calibrated, and nothing is checked.").by({"kernel"});
    out.begin(std::string("__global__ void work(") + (p.inputs || p.outputs ? "Pipeline p" : "Pipeline") +
                  (p.outputs ? ", int pass" : ", int") + ", long long loops, unsigned* errors" +
                  (memory ? ", const float4* streamed" : "") + ") {",
              {"kernel"});
    if (needsThreads(p)) {
        out.add("const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;");
        out.add("const size_t threads = size_t(gridDim.x) * blockDim.x;");
    }
    out.add("unsigned wrong = 0;");
    writeReading(out, p);
    writeWriting(out, p);
    writeLoops(out, p);
    out.beginLoop("if (errors && wrong > 0)");
    out.add("atomicAdd(errors, wrong);");
    out.endLoop();
    out.end();
}

void writeFill(CodeWriter& out, const Program& p) {
    if (!p.fill)
        return;
    const Keys keys{"memset.method"};
    out.begin("__global__ void fill(unsigned* memory) {", keys);
    out.add("const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;").by(keys);
    out.add("constexpr size_t quads = memsetBytes / sizeof(uint4);").by(keys);
    out.beginLoop("for (size_t i = t; i < quads; i += size_t(gridDim.x) * blockDim.x)", keys);
    out.add("reinterpret_cast<uint4*>(memory)[i] = uint4{0, 0, 0, 0};").by(keys);
    out.endLoop();
    out.beginLoop("if (quads * sizeof(uint4) + t < memsetBytes)", keys);
    out.add("reinterpret_cast<char*>(memory)[quads * sizeof(uint4) + t] = 0;").by(keys);
    out.endLoop();
    out.end();
}

void writeFresh(CodeWriter& out, const Program& p) {
    if (!p.interferes || p.e.interfere != experiment::Interfere::FirstLaunch)
        return;
    const Keys keys{"interfere"};
    out.add("// Kernels that nothing has launched before: the first launch loads the code.").by(keys);
    out.add("template <int> __global__ void fresh() {}").by(keys);
    out.begin(
        "template <int... N> static std::vector<void (*)()> allFresh(std::integer_sequence<int, N...>) {",
        keys);
    out.add("return {fresh<N>...};").by(keys);
    out.end();
    out.add("static const std::vector<void (*)()> freshKernels = allFresh(std::make_integer_sequence<int, " +
            std::to_string(experiment::kFirstLaunchKernels) + ">());")
        .by(keys);
}

bool needsEmpty(const Program& p) {
    return p.e.kernel || (p.nullOp && p.e.nullOp == experiment::NullOp::Kernel);
}

} // namespace

void writeKernels(CodeWriter& out, const Program& p) {
    writePattern(out, p);
    writeSampling(out, p);
    writeConstants(out, p);
    writeWork(out, p);
    writeFill(out, p);
    if (needsEmpty(p))
        out.add("__global__ void empty() {}").by({"kernel"});
    writeFresh(out, p);
    if (p.gate) {
        out.begin("__global__ void gate(const volatile int* open) {", {"gate"});
        out.beginLoop("while (*open == 0)", {"gate"});
        out.add("__nanosleep(200);").by({"gate"});
        out.endLoop();
        out.end();
    }
    out.blank();
}

namespace {

std::string launchWork(const Program& p, const std::string& grid, const std::string& loops) {
    const std::string at = p.allDevices ? "[0]" : "";
    return "work<<<" + grid + ", " + p.sharedBytes() + ", stream>>>(pipelines[0], 0, " + loops + ", nullptr" +
           (p.e.kernelKind == experiment::KernelKind::Memory ? ", streamed" + at : "") + ");";
}

void writeResident(CodeWriter& out, const Program& p) {
    if (!p.fill && !(p.e.kernel && p.e.kernelBlocks.fill > 0))
        return;
    const Keys keys{"kernel.blocks", "memset.method"};
    out.add("// Blocks that the device holds at once.").by(keys);
    out.begin("template <typename Kernel> static unsigned residentBlocks(Kernel kernel, int threads, size_t "
              "shared) {",
              keys);
    out.add("int perSm, sms;").by(keys);
    out.add("CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, kernel, threads, shared));")
        .by(keys);
    out.add("CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, " +
            std::to_string(p.e.device) + "));")
        .by(keys);
    out.add("return unsigned(perSm * sms);").by(keys);
    out.end();
}

void writeTimed(CodeWriter& out, const Program& p) {
    const Keys keys{"kernel", "kernel.us"};
    out.add("// Microseconds of a launch, by events: the median of five. The kernel before it keeps the "
            "host's")
        .by(keys);
    out.add("// time out.").by(keys);
    out.begin("template <typename Launch> static double timed(cudaStream_t stream, const Launch& launch) {",
              keys);
    out.add("cudaEvent_t begin, end;").by(keys);
    out.add("CHECK(cudaEventCreate(&begin));").by(keys);
    out.add("CHECK(cudaEventCreate(&end));").by(keys);
    out.add("std::vector<float> ms(5);").by(keys);
    out.begin("for (float& one : ms) {", keys);
    out.add(launchWork(p, "1, 32", "2000")).by(keys);
    out.add("CHECK(cudaEventRecord(begin, stream));").by(keys);
    out.add("launch();").by(keys);
    out.add("CHECK(cudaEventRecord(end, stream));").by(keys);
    out.add("CHECK(cudaEventSynchronize(end));").by(keys);
    out.add("CHECK(cudaEventElapsedTime(&one, begin, end));").by(keys);
    out.end();
    out.add("CHECK(cudaEventDestroy(begin));").by(keys);
    out.add("CHECK(cudaEventDestroy(end));").by(keys);
    out.add("std::sort(ms.begin(), ms.end());").by(keys);
    out.add("return 1000.0 * ms[2];").by(keys);
    out.end();
}

void writeSearch(CodeWriter& out, const Program& p) {
    const Keys keys{"kernel", "kernel.us"};
    out.add("const auto launch = [&] { " + launchWork(p, "blocks, threadsPerBlock", "loops") + " };")
        .by(keys);
    out.add("// 30 ms of work first, so that the clocks are up.").by(keys);
    out.add("const auto warm = Clock::now() + std::chrono::milliseconds(30);").by(keys);
    out.begin("for (loops = 64; Clock::now() < warm; loops = std::min(2 * loops, 1ll << 14)) {", keys);
    out.add("launch();").by(keys);
    out.add("CHECK(cudaStreamSynchronize(stream));").by(keys);
    out.end();
    out.add("// An empty kernel takes about 1 us; the rest is the events'.").by(keys);
    out.add(
           "const double overhead = std::max(0.0, timed(stream, [&] { empty<<<1, 1, 0, stream>>>(); }) - 1);")
        .by(keys);
    out.add("loops = 64;").by(keys);
    out.begin("for (int step = 0; step < 12; ++step) {", keys);
    out.add("const double us = std::max(0.001, timed(stream, launch) - overhead);").by(keys);
    out.add("const double factor = std::clamp(kernelUs / us, 0.05, 64.0);").by(keys);
    out.add("const long long next = std::max(1ll, (long long)(loops * factor + 0.5));").by(keys);
    out.add("if (next == loops || (us < 1.005 * kernelUs && us > 0.995 * kernelUs))").by(keys);
    out.add("    break;").by(keys);
    out.add("loops = next;").by(keys);
    out.end();
}

} // namespace

void writeCalibration(CodeWriter& out, const Program& p) {
    writeResident(out, p);
    if (p.e.kernel) {
        writeTimed(out, p);
        out.add("// How many loops take kernelUs.").by({"kernel.us"});
    }
    if (!p.e.kernel && !p.fill)
        return;
    out.begin("static void calibrate() {", {"kernel", "kernel.us"});
    if (p.fill)
        out.add("fillBlocks = unsigned(std::min<size_t>(residentBlocks(fill, 256, 0), "
                "(memsetBytes + 4095) / 4096));")
            .by({"memset.method"});
    if (p.e.kernel) {
        if (p.e.kernelBlocks.fill > 0)
            out.add("blocks = fills * residentBlocks(work, threadsPerBlock, " + p.sharedBytes() + ");")
                .by({"kernel.blocks"});
        out.add("cudaStream_t stream;").by({"kernel.us"});
        out.add("CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));").by({"kernel.us"});
        writeSearch(out, p);
        out.add("CHECK(cudaStreamDestroy(stream));").by({"kernel.us"});
        out.add(
            "printf(\"kernel: %u blocks of %u threads, %lld loops\\n\", blocks, threadsPerBlock, loops);");
    }
    out.end();
    out.blank();
}

} // namespace olab::code
