// Captures the process that contains this code: records CUDA activity into an .olab file that can be followed
// while it grows. For libraries that other programs load. Nothing here ends the process, prints, or handles
// signals; a forked child records nothing. One per process.
#pragma once

#include <olab/trace/records.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace olab::capture {

struct ProcessCaptureOptions {
    std::size_t memoryBytes = 64u << 20;   ///< limit for records that are not yet written
    std::chrono::milliseconds takeIn{250}; ///< complete records reach the file within this time
    bool allCalls = false;                 ///< also calls that only query
    bool asleep = false;                   ///< until record(true)
    bool byMarks = false;              ///< record() follows what the program marks; then asleep outside of it
    std::string markedRange;           ///< the NVTX range that marks; empty: cudaProfilerStart() and -Stop()
    std::uint64_t mostBytes = 0;       ///< approximate file size at which recording ends; 0: no limit
    std::chrono::milliseconds last{0}; ///< approximate time to keep, at most twice as much; 0: all
    std::vector<EnvironmentRecord> environment; ///< further properties of the program
    /// Told when another client of CUPTI in the program takes over (its name), and when it has ended (empty).
    std::function<void(const std::string& name)> yields;
    /// Called by our thread when recording ends before the program: a full disk, the limit.
    std::function<void(const std::string& why)> ended;
};

class ProcessCapture {
public:
    /// Starts recording into `file`. @throws Error
    ProcessCapture(const std::filesystem::path& file, ProcessCaptureOptions options);
    ~ProcessCapture();
    ProcessCapture(const ProcessCapture&) = delete;
    ProcessCapture& operator=(const ProcessCapture&) = delete;
    bool isOfThisProcess() const;
    /// All records on or off, except devices, contexts and streams. Any thread.
    void record(bool on) noexcept;
    /// Writes the rest and closes the file; best when the devices are idle. Afterwards nothing is written,
    /// even if this throws: then the file has no end and is recognised as incomplete. @throws Error
    void finish();
    /// In a forked child: the file belongs to the parent only. All processes that inherit the file's lock
    /// hold it, so a follower would think that a dead parent still writes. Takes no lock.
    void leaveToParent() noexcept;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace olab::capture
