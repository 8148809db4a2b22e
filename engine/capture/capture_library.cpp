#include <olab/capture/capture_library.h>

#include <olab/cupti/collector.h>
#include <olab/cupti/own_process.h>
#include <olab/cupti/quiet_thread.h>
#include <olab/trace/container.h>
#include <olab/trace/iso_time.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <optional>
#include <pthread.h>
#include <unistd.h>

namespace olab::capture {
namespace {

using cupti::OwnProcess;
using cupti::runQuietly;

constexpr std::size_t kMemory = 64u << 20;
constexpr std::chrono::milliseconds kTakeInEvery{250};

struct Writers {
    explicit Writers(const std::filesystem::path& path)
        : file(path)
        , records(file) {}
    ContainerWriter file;
    RecordWriter records;
};

/// From start to stop.
class Recording {
public:
    Recording(const std::filesystem::path& path, const OlabCaptureOptions& options) {
        m_collector.emplace(configured(options));
        runQuietly([&] { begin(path); });
        m_following.emplace(*m_collector, m_writers->records);
    }
    bool isOfThisProcess() const { return m_owner.isThis(); }
    /// Whatever happens, nothing is written afterwards; if this throws, the file has no end chunk and is
    /// recognised as incomplete.
    void finish() {
        const std::unique_ptr<Writers> writers = std::move(m_writers);
        if (!writers)
            return;
        m_descriptor = -1;
        struct Ends {
            Recording& recording;
            ~Ends() { recording.m_following.reset(), recording.m_collector.reset(); }
        } const ends{*this};
        m_collector->drain(writers->records);
        writers->records.flush();
        writers->file.finish();
    }

    /// In a forked child: the file belongs to the parent only. All processes that inherit the file's lock
    /// hold it, so a follower would think that a dead parent still writes. Takes no lock.
    void leaveToParent() noexcept {
        if (const int descriptor = m_descriptor.exchange(-1); descriptor >= 0)
            ::close(descriptor);
    }

private:
    cupti::CollectorConfig configured(const OlabCaptureOptions& options) {
        cupti::CollectorConfig config;
        config.host = cupti::HostProgram::Foreign;
        config.memoryCap = options.memoryBytes ? static_cast<std::size_t>(options.memoryBytes) : kMemory;
        config.takeInEvery = options.takeInMs ? std::chrono::milliseconds(options.takeInMs) : kTakeInEvery;
        config.takenIn = [this] { m_records->flush(); }; // visible to followers of the file
        return config;
    }
    void begin(const std::filesystem::path& path) {
        m_writers = std::make_unique<Writers>(path);
        m_records = &m_writers->records;
        m_descriptor = m_writers->file.descriptor();
        m_records->add(ProvenanceRecord{SourceKind::Traced, "Overlap Lab", OLAB_VERSION, isoTimeUtc()});
        m_records->add(EnvironmentRecord{"cupti", std::to_string(m_collector->version())});
        if (const std::string& names = m_collector->notRecorded(); !names.empty())
            m_records->add(EnvironmentRecord{std::string(cupti::kNotRecordedKey), names});
        m_records->add(EnvironmentRecord{std::string(kStreamCallsKey), std::string(kStreamCallsRecorded)});
        m_records->flush();
    }

    OwnProcess m_owner;
    std::unique_ptr<Writers> m_writers; ///< empty: recording has ended
    std::atomic<int> m_descriptor{-1};  ///< of the file; -1: none that a child could inherit
    RecordWriter* m_records = nullptr;
    std::optional<cupti::Collector> m_collector;
    std::optional<cupti::Collector::Following> m_following;
};

std::atomic<Recording*> g_recording{nullptr}; // never destroyed: CUPTI calls back while the process ends
std::atomic<bool> g_busy{false};
char g_message[2048] = "";

/// Once, however often a start fails. It cannot be undone: the library is never unloaded (-z nodelete).
void watchForks() {
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] {
        if (Recording* const recording = g_recording)
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
            std::make_unique<capture::Recording>(file, options ? *options : OlabCaptureOptions()).release();
    });
}

int olabCaptureStop() noexcept {
    capture::Recording* const recording = capture::g_recording;
    if (!recording || !recording->isOfThisProcess())
        return 0;
    return capture::guarded([&] { runQuietly([&] { recording->finish(); }); });
}

const char* olabCaptureMessage() noexcept {
    return capture::g_message;
}
