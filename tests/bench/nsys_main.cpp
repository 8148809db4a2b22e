// olab_bench_nsys [GPU RECORDS]: an Nsight Systems export with so many (1000000) and an API call for each,
// read by fresh processes to the numbers of the report: wall time and memory of each, the medians.
// olab_bench_nsys --numbers FILE: one of them. olab_bench_nsys --write FILE [GPU RECORDS]: the export alone.
#include <olab/analysis/analyze.h>
#include <olab/io/recording_file.h>
#include <olab/trace/lanes_of.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sqlite3.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace olab;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 9;

double since(Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

void run(sqlite3* handle, const std::string& sql) {
    char* message = nullptr;
    if (::sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
        std::fprintf(stderr, "%s\n%s\n", message, sql.c_str());
        std::exit(1);
    }
}

/// One process, two devices, eight streams; 68 % kernels, 26 % copies, 6 % memsets. The columns of
/// 2026.
void write(const std::filesystem::path& path, long count) {
    sqlite3* handle = nullptr;
    ::sqlite3_open(path.c_str(), &handle);
    run(handle, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
    run(handle, "CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)");
    run(handle, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<63) INSERT INTO "
                "StringIds SELECT i, "
                "'void library::kernel_number_' || i || '<float, 128>(float const*, float*, int)' FROM n");
    run(handle, "INSERT INTO StringIds VALUES(100,'cudaLaunchKernel_v7000'),(101,'cudaMemcpyAsync_v3020')");
    run(handle,
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId "
        "INTEGER, "
        "contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
        "INTEGER, "
        "demangledName INTEGER, shortName INTEGER, mangledName INTEGER, launchType INTEGER, cacheConfig "
        "INTEGER, "
        "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY "
        "INTEGER, "
        "blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, localMemoryPerThread "
        "INTEGER, "
        "localMemoryTotal INTEGER, gridId INTEGER, sharedMemoryExecuted INTEGER, graphNodeId INTEGER)");
    run(handle, "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, "
                "contextId INTEGER, "
                "greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes "
                "INTEGER, copyKind "
                "INTEGER, deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER, copyCount INTEGER)");
    run(handle, "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, deviceId INTEGER, "
                "contextId INTEGER, "
                "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER, "
                "memKind INTEGER)");
    run(handle, "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER, "
                "globalTid INTEGER, "
                "correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER)");
    const std::string rows = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<" +
                             std::to_string(count - 1) + ") ";
    const std::string pid = "281480009875456";
    run(handle, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL " + rows +
                    "SELECT 5000+2000*i, 5000+2000*i+1500+i%700, i%2, 1, NULL, "
                    "7+i/2%4, i+1, " +
                    pid +
                    ", i%64, i%64, i%64, 1, 1, 32, 100+i%16, 1, 1, 256, 1, 1, 0, 4096, 0, 1000000, i, "
                    "32768, NULL FROM n WHERE i%100<68");
    run(handle, "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY " + rows +
                    "SELECT 5000+2000*i, 5000+2000*i+1800, i%2, 1, NULL, "
                    "20+i/2%2, i+1, " +
                    pid + ", 1048576, 1+i/3%2, NULL, 1, 2, 1 FROM n WHERE i%100>=68 AND i%100<94");
    run(handle, "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET " + rows +
                    "SELECT 5000+2000*i, 5000+2000*i+300, i%2, 1, 30, i+1, " + pid +
                    ", 0, 4096, 2 FROM n WHERE i%100>=94");
    run(handle, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME " + rows + "SELECT 2000*i, 2000*i+900, 0, " + pid +
                    "+77, i+1, 100+(i%100>=68), 0, NULL FROM n");
    run(handle, "COMMIT");
    ::sqlite3_close(handle);
}

int numbers(const char* file) {
    const auto from = Clock::now();
    const Trace trace = io::readRecording(file).trace;
    const double read = since(from);
    const auto lanes = lanesOf(trace);
    const analysis::Report report = analysis::analyze({trace, *lanes});
    std::printf("%zu records, read in %.0f ms, judged in %.0f ms more, busy %lld ns\n", trace.size(), read,
                since(from) - read,
                static_cast<long long>(report.devices.empty() ? 0 : report.devices[0].busyAny));
    return 0;
}

struct Cost {
    double wall = 0;
    long memory = 0; // KiB
};

Cost freshProcess(const char* program, const std::filesystem::path& file) {
    const auto from = Clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl(program, program, "--numbers", file.c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    return {since(from), used.ru_maxrss};
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--numbers")
        return numbers(argv[2]);
    if (argc >= 3 && std::string(argv[1]) == "--write") {
        write(argv[2], argc > 3 ? std::atol(argv[3]) : 1'000'000);
        return 0;
    }
    const long count = argc > 1 ? std::atol(argv[1]) : 1'000'000;
    const auto file = std::filesystem::temp_directory_path() /
                      ("olab_bench_nsys." + std::to_string(::getpid()) + ".sqlite");
    write(file, count);
    std::printf("%ld rows, %.0f MB\n", 2 * count,
                static_cast<double>(std::filesystem::file_size(file)) / 1e6);
    std::fflush(stdout);
    std::vector<Cost> costs;
    for (int i = 0; i < kRounds; ++i)
        costs.push_back(freshProcess("/proc/self/exe", file));
    std::ranges::sort(costs, {}, &Cost::wall);
    std::printf("fresh process: median %.0f ms, least %.0f ms, %ld MB\n", costs[kRounds / 2].wall,
                costs[0].wall, costs[kRounds / 2].memory / 1024);
    std::filesystem::remove(file);
}
