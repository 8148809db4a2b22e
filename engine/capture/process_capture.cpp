#include <olab/capture/process_capture.h>

#include "capture_file.h"

#include <olab/cupti/collector.h>
#include <olab/cupti/host_process.h>
#include <olab/cupti/quiet_thread.h>
#include <olab/trace/value_text.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <unistd.h>
#include <utility>

namespace olab::capture {

struct ProcessCapture::State {
    State(const std::filesystem::path& path, ProcessCaptureOptions given)
        : options(std::move(given))
        , collector(configured())
        , notRecorded(collector->notRecorded()) {
        cupti::runQuietly([&] { begin(path); });
        following.emplace(*collector, *file);
        const std::lock_guard lock(switching);
        switched = &*collector;
    }

    cupti::CollectorConfig configured() {
        cupti::CollectorConfig config;
        config.host = cupti::HostProgram::Foreign;
        config.memoryCap = options.memoryBytes;
        config.takeInEvery = options.takeIn;
        config.allCalls = options.allCalls;
        config.asleep = options.asleep || options.byMarks;
        config.restsWhenOff = !options.byMarks;
        config.yields = options.yields;
        config.partRange = options.markedRange;
        if (options.byMarks) {
            config.partMarked = [this](bool begins) { record(begins); };
            config.partLost = [this](const std::string& name) { endEarly(whyLost(name)); };
        }
        config.takenIn = [this] { takenIn(); };
        return config;
    }
    void begin(const std::filesystem::path& path) {
        file.emplace(path, options.last, [this](const std::string& why) { end(why); });
        descriptor = file->descriptor();
        file->add(ProvenanceRecord{SourceKind::Traced, "Overlap Lab", OLAB_VERSION, isoTimeUtc()});
        file->add(EnvironmentRecord{"cupti", std::to_string(collector->version())});
        if (!notRecorded.empty())
            file->add(EnvironmentRecord{std::string(cupti::kNotRecordedKey), notRecorded});
        file->add(EnvironmentRecord{std::string(kStreamCallsKey), std::string(kStreamCallsRecorded)});
        for (const EnvironmentRecord& record : options.environment)
            file->add(record);
        file->flush();
    }
    void record(bool on) noexcept {
        const std::lock_guard lock(switching);
        if (switched && !hasEnded)
            switched->record(on);
    }
    /// By the thread that consumes the records: followers of the file see them now.
    void takenIn() {
        file->flush();
        descriptor = file->descriptor();
        if (options.mostBytes > 0 && file->bytes() >= options.mostBytes && !hasEnded) {
            endEarly("its file had reached the limit of its size");
        }
    }
    static std::string whyLost(const std::string& name) {
        return (name.empty() ? "another tool" : name) +
               " stays subscribed to CUPTI, so that what the program marks cannot be followed";
    }
    /// By the thread that consumes the records.
    void endEarly(const std::string& why) {
        if (hasEnded)
            return;
        end(why);
        file->addDefect(DefectCode::OpenEnd, 1, 0, why);
    }
    void end(const std::string& why) {
        if (hasEnded)
            return;
        if (file) // not while it is being opened
            descriptor = file->descriptor();
        record(false); // the program is as fast as it was
        hasEnded = true;
        if (options.ended)
            options.ended(why);
    }

    const cupti::OwnProcess owner;
    const ProcessCaptureOptions options;
    std::atomic<bool> hasEnded{false};
    std::optional<CaptureFile> file;      ///< empty: recording has ended
    std::atomic<int> descriptor{-1};      ///< of the file; -1: none that a child could inherit
    std::mutex switching;                 // before the collector, whose callbacks use both
    cupti::Collector* switched = nullptr; ///< null: not yet, or no longer
    std::optional<cupti::Collector> collector;
    const std::string notRecorded;
    std::optional<cupti::Collector::Following> following;
};

ProcessCapture::ProcessCapture(const std::filesystem::path& file, ProcessCaptureOptions options)
    : m_state(std::make_unique<State>(file, std::move(options))) {}

ProcessCapture::~ProcessCapture() = default;

bool ProcessCapture::isOfThisProcess() const {
    return m_state->owner.isThis();
}

void ProcessCapture::record(bool on) noexcept {
    m_state->record(on);
}

void ProcessCapture::finish() {
    State& s = *m_state;
    if (!s.following)
        return;
    struct Ends {
        State& state;
        ~Ends() {
            state.descriptor = -1;
            {
                const std::lock_guard lock(state.switching);
                state.switched = nullptr;
            }
            state.following.reset(), state.collector.reset(), state.file.reset();
        }
    } const ends{s};
    s.collector->drain(*s.file);
    s.file->finish();
}

void ProcessCapture::leaveToParent() noexcept {
    if (const int descriptor = m_state->descriptor.exchange(-1); descriptor >= 0)
        ::close(descriptor);
}

} // namespace olab::capture
