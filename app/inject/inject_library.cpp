// libolab_inject.so: loaded by CUDA into a program that `olab trace` started, through CUDA_INJECTION64_PATH,
// and by NVTX through NVTX_INJECTION64_PATH. Records what TraceRequest asks for. It must never be noticed:
// nothing here throws, prints, ends the process, changes its signals, or waits for something that may hang.
#include "orders.h"
#include "program_calls.h"

#include <olab/capture/process_capture.h>
#include <olab/cupti/collector.h>
#include <olab/cupti/nvtx_injection.h>
#include <olab/cupti/quiet_thread.h>
#include <olab/trace/error.h>
#include <olab/trace/output_file.h>
#include <olab/trace/trace_request.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <unistd.h>

namespace olab::inject {
namespace {

using capture::ProcessCapture;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatienceAtExit{10}; // then the file stays without its end
/// A buffer of 4 MiB comes from each thread at once that makes a call or a range, and some programs have a
/// hundred.
constexpr std::size_t kMemory = 512u << 20;

std::atomic<ProcessCapture*> g_capture{nullptr}; // never destroyed: CUPTI calls back while the process ends
std::atomic<bool> g_begun{false}, g_ending{false};
std::atomic<bool> g_expected{false}; ///< the program itself may begin

const std::optional<TraceRequest>& request() {
    static const auto& asked = *new std::optional<TraceRequest>(TraceRequest::fromEnvironment());
    return asked;
}

void tell(TraceEvent event, const std::string& text) noexcept {
    if (request() && !request()->status.empty())
        tellStatus(request()->status, {event, ::getpid(), text});
}

bool isAskedFor() {
    return request() && (request()->children || request()->pid == ::getpid());
}

/// run.olab of the program itself; run.1234.olab of others, or run.1234-2.olab of what a process became.
fs::path ownFile() {
    const auto before = readStatus(request()->status);
    const auto isTaken = [&before](const fs::path& path) {
        return std::ranges::any_of(before, [&](const TraceStatus& status) {
            return status.event == TraceEvent::Recording && status.text == path.string();
        });
    };
    const fs::path& file = request()->file;
    if (request()->pid == ::getpid() && !isTaken(file))
        return file;
    const std::string stem = file.stem().string() + "." + std::to_string(::getpid());
    fs::path own = file.parent_path() / (stem + ".olab");
    for (int number = 2; isTaken(own); ++number)
        own = file.parent_path() / (stem + "-" + std::to_string(number) + ".olab");
    return own;
}

capture::ProcessCaptureOptions optionsOf(const TraceRequest& asked) {
    using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::nanoseconds;
    capture::ProcessCaptureOptions options;
    options.memoryBytes = kMemory;
    options.allCalls = asked.allCalls;
    options.asleep = asked.delay > 0;
    options.byMarks = asked.byMarks;
    options.markedRange = asked.range;
    options.mostBytes = asked.mostBytes;
    options.last = duration_cast<milliseconds>(nanoseconds(asked.last));
    options.environment = programFacts();
    options.ended = [](const std::string& why) { tell(TraceEvent::Ended, why); };
    options.yields = [](const std::string& name) {
        noteYield(name);
        if (!name.empty())
            tell(TraceEvent::Yielded, name);
    };
    return options;
}

void sleepUntil(Ns monotonic) {
    constexpr Ns kSecond = 1'000'000'000;
    const timespec until{monotonic / kSecond, monotonic % kSecond};
    while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

/// By a thread that is never waited for.
void switchInTime(ProcessCapture& capture, const TraceRequest& asked) {
    if (asked.delay == 0 && asked.duration == 0)
        return;
    cupti::quietThread([&capture, asked] {
        sleepUntil(asked.started + asked.delay);
        capture.record(true);
        if (asked.duration == 0)
            return;
        sleepUntil(asked.started + asked.delay + asked.duration);
        capture.record(false);
    }).detach();
}

void finish(ProcessCapture& capture, const fs::path& file) noexcept {
    try {
        capture.finish();
        tell(TraceEvent::Finished, file.string());
    } catch (const std::exception& error) {
        tell(TraceEvent::Ended, error.what());
    } catch (...) {
        tell(TraceEvent::Ended, "an unknown fault");
    }
}

struct Ending {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
};

/// CUDA may have come to its end before, and what is asked of it may hang: another thread asks.
void finishInTime(ProcessCapture& capture, const fs::path& file) {
    Ending& ending = *new Ending; // the thread may outlive this
    cupti::quietThread([&capture, file, &ending] {
        finish(capture, file);
        const std::lock_guard lock(ending.mutex);
        ending.done = true;
        ending.changed.notify_all();
    }).detach();
    std::unique_lock lock(ending.mutex);
    ending.changed.wait_for(lock, kPatienceAtExit, [&ending] { return ending.done; });
}

fs::path& fileOfCapture() {
    static fs::path& file = *new fs::path;
    return file;
}

void atExit() noexcept {
    g_ending = true;
    endOrders(false);
    ProcessCapture* const capture = g_capture.exchange(nullptr);
    if (!capture || !capture->isOfThisProcess())
        return;
    try {
        finishInTime(*capture, fileOfCapture());
    } catch (...) { // no thread: the file stays without its end
    }
}

/// In the child of a fork.
void inChild() noexcept {
    endOrders(true);
    if (ProcessCapture* const capture = g_capture.exchange(nullptr))
        capture->leaveToParent();
}

/// It is told before: whoever kills the program then leaves a file that olab trace knows of.
ProcessCapture& beginCapture(const fs::path& file, const capture::ProcessCaptureOptions& options) {
    fileOfCapture() = file;
    tell(TraceEvent::Recording, file.string());
    try {
        g_capture = new ProcessCapture(file, options);
    } catch (const Error& error) {
        tell(TraceEvent::Failed, std::string(error.what()) + " " + error.hint());
        throw;
    }
    return *g_capture;
}

std::string prepare() {
    if (g_ending)
        throw Error(ErrorKind::Usage, "ending", "The program is ending.", "Start it again.");
    if (!g_capture) {
        capture::ProcessCaptureOptions options = optionsOf(*request());
        options.asleep = true;
        (void)beginCapture(ownFile(), options);
    }
    return fileOfCapture().string();
}

void record(bool on) {
    if (ProcessCapture* const capture = g_capture)
        capture->record(on);
}

/// Nothing of CUPTI is used before an order comes: what sleeps must cost nothing.
void beginToWait() {
    cupti::expectCollector();
    const bool listens =
        awaitOrders({prepare, [] { return g_capture ? fileOfCapture().string() : std::string(); }, record});
    if (!listens)
        throw Error(ErrorKind::Usage, "no-socket", "No socket could be made to be told by.",
                    "Set XDG_RUNTIME_DIR to a folder of your own.");
    tell(TraceEvent::Ready, programName());
}

/// Once, before anything begins.
void watchEnds() {
    static const bool watched = [] {
        (void)::pthread_atfork(nullptr, nullptr, inChild);
        (void)std::atexit(atExit);
        (void)::at_quick_exit(atExit);
        return true;
    }();
    (void)watched;
}

void begin() {
    watchEnds();
    if (request()->attachReady)
        return beginToWait();
    switchInTime(beginCapture(ownFile(), optionsOf(*request())), *request());
}

void initialize() noexcept {
    try {
        if (!request() || g_begun.exchange(true))
            return;
        if (isAskedFor())
            begin();
        else
            tell(TraceEvent::Other, programName());
    } catch (const Error& error) {
        tell(TraceEvent::Failed, std::string(error.what()) + " " + error.hint());
    } catch (const std::exception& error) {
        tell(TraceEvent::Failed, error.what());
    } catch (...) {
        tell(TraceEvent::Failed, "an unknown fault");
    }
}

} // namespace

bool isRecordedWhole() {
    return isAskedFor() && !request()->attachReady;
}

void expectProgram() {
    g_expected = true;
    cupti::expectCollector();
}

std::string beginByProgram(const std::string& file) {
    if (!g_capture && isAskedFor() && request()->attachReady)
        (void)prepare();
    if (g_capture || isRecordedWhole()) {
        if (!isRecordedWhole())
            record(true);
        return fileOfCapture().string();
    }
    if (g_ending || !fileOfCapture().empty())
        throw Error(ErrorKind::Usage, "recorded", "This process was recorded already.",
                    "Record into one file, as often as needed, and finish it once.");
    if (file.empty())
        throw Error(ErrorKind::Usage, "no-file", "No file was named to record into.",
                    "Name one: record(\"run.olab\").");
    TraceRequest asked;
    asked.file = fs::absolute(file);
    cupti::runQuietly([&asked] { checkWritable(asked.file); });
    watchEnds();
    (void)beginCapture(asked.file, optionsOf(asked));
    return asked.file.string();
}

void endByProgram() {
    if (!isRecordedWhole())
        record(false);
}

void finishByProgram() {
    if (isRecordedWhole())
        return;
    if (ProcessCapture* const capture = g_capture.exchange(nullptr))
        cupti::runQuietly([capture] { capture->finish(); });
}

} // namespace olab::inject

#define OLAB_INJECT_API __attribute__((visibility("default")))

/// Called by CUDA's driver while it initializes.
extern "C" OLAB_INJECT_API int InitializeInjection() {
    olab::inject::initialize();
    return 1; // else CUDA might complain
}

/// Called by NVTX at the first range. @returns 0: ranges go nowhere
extern "C" OLAB_INJECT_API int InitializeInjectionNvtx2(void* exports) {
    try {
        if (!olab::inject::isAskedFor() && !olab::inject::g_expected)
            return 0;
        olab::cupti::noteNvtx(exports);
        return 1;
    } catch (...) {
        return 0;
    }
}
