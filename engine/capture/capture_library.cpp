#include <olab/capture/capture_library.h>

#include <olab/capture/process_capture.h>
#include <olab/cupti/quiet_thread.h>
#include <olab/trace/error.h>
#include <olab/trace/output_file.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <pthread.h>

namespace olab::capture {
namespace {

std::atomic<ProcessCapture*> g_recording{nullptr}; // never destroyed: CUPTI calls back while the process ends
std::atomic<bool> g_busy{false};
char g_message[2048] = "";

ProcessCaptureOptions optionsFrom(const OlabCaptureOptions* given) {
    ProcessCaptureOptions options;
    if (given && given->memoryBytes)
        options.memoryBytes = static_cast<std::size_t>(given->memoryBytes);
    if (given && given->takeInMs)
        options.takeIn = std::chrono::milliseconds(given->takeInMs);
    return options;
}

/// Once, however often a start fails. It cannot be undone: the library is never unloaded (-z nodelete).
void watchForks() {
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] {
        if (ProcessCapture* const recording = g_recording)
            recording->leaveToParent();
    });
    (void)registered; // without memory for it, a fork is not detected
}

/// Runs `work` unless another thread is already in here, and turns exceptions into a number and a message.
template <typename Work>
int guarded(Work work) noexcept {
    if (g_busy.exchange(true))
        return static_cast<int>(ErrorKind::Usage); // the message belongs to the other thread
    int result = 0;
    g_message[0] = '\0';
    try {
        work();
    } catch (const Error& error) {
        std::snprintf(g_message, sizeof g_message, "%s %s", error.what(), error.hint().c_str());
        result = error.exitCode();
    } catch (const std::exception& error) {
        std::snprintf(g_message, sizeof g_message, "The capture failed: %s.", error.what());
        result = static_cast<int>(ErrorKind::Internal);
    } catch (...) {
        std::snprintf(g_message, sizeof g_message, "The capture failed.");
        result = static_cast<int>(ErrorKind::Internal);
    }
    g_busy = false;
    return result;
}

} // namespace
} // namespace olab::capture

using namespace olab;
using cupti::runQuietly;

int olabCaptureStart(const char* file, const OlabCaptureOptions* options) noexcept {
    return capture::guarded([&] {
        if (!file || !*file)
            throw Error(ErrorKind::Usage, "no-file", "No file was named to record into.", "Name one.");
        if (capture::g_recording)
            throw Error(ErrorKind::Usage, "recording", "This process is, or was, being recorded already.",
                        "Record it once; a forked child must call exec first.");
        runQuietly([&] { checkWritable(file); }); // before CUPTI is initialized, which is possible only once
        capture::watchForks();
        capture::g_recording =
            std::make_unique<capture::ProcessCapture>(file, capture::optionsFrom(options)).release();
    });
}

int olabCaptureStop() noexcept {
    capture::ProcessCapture* const recording = capture::g_recording;
    if (!recording || !recording->isOfThisProcess())
        return 0;
    return capture::guarded([&] { runQuietly([&] { recording->finish(); }); });
}

const char* olabCaptureMessage() noexcept {
    return capture::g_message;
}
