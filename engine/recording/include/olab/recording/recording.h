// All of one recording, const, shared with the window: experiment (if any), trace, lanes, facts, report. What
// is known of a trace is found out once, here, on the thread that makes the recording.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/comparison/controls.h>
#include <olab/comparison/proof.h>
#include <olab/io/recording_file.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace olab {

/// The account of so many operations takes some tens of milliseconds; that of more is made on demand.
inline constexpr std::size_t kAccountAtOnce = 20'000;

/// Tells whether a file was written since: size and time of its last change. All zero: it is not there.
struct FileStamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time{};
    static FileStamp of(const std::filesystem::path& path);
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Of a recording what its file does not say, or may say otherwise.
struct RecordingNotes {
    std::string title;               ///< what the label says, else "Run 3" or the file's name
    std::vector<Bookmark> bookmarks; ///< sorted by begin; what a person changes since is kept by the window
    bool bookmarksPartly = false;    ///< the file says more of them than is kept: written there, it is lost
    RunLabel label;                  ///< as its file has it; what a person changes since is kept by Run
    bool labelPartly = false;        ///< as bookmarksPartly
    bool live = false;               ///< made by this process just now; false: read from a file
    std::filesystem::path file;      ///< read from or saved to; empty: unsaved
    FileStamp fileStamp;             ///< of that file when it was read
    std::string format;              ///< of that file, for people; empty: of none, or of several
    /// Which of the traced runs of its job this is (from 1), and how many there were; 0: not from a job of
    /// traced runs.
    int tracedRun = 0, tracedRuns = 0;
    std::optional<Controls> controls; ///< runs that were made before it was believed
    std::vector<Proof> proofs;        ///< of its findings, by interventions
};

struct Recording : RecordingNotes {
    Recording() = default;
    Recording(const Recording&) = delete; // its facts refer to its trace
    Recording& operator=(const Recording&) = delete;

    std::shared_ptr<const Experiment> experiment; ///< null: nobody knows the options
    std::shared_ptr<const Plan> schedule; ///< plan(*experiment); null: nothing is known of what was planned
    Trace trace;
    std::shared_ptr<const LaneSet> lanes; ///< of the trace
    FactsPtr facts; ///< of the four above; there in every recording that makeRecording() made
    Report report;  ///< judged from the facts, and from what follows
    RunTimes times; ///< of all runs of its job; empty: it was one, or nobody kept them
    /// repeat > 1: the other runs of the experiment, in order; this one is the median by makespan.
    std::vector<std::shared_ptr<const Recording>> otherRuns;

    /// Simulated, recorded, imported or measured just now: the badge. "SIMULATED", "RECORDED", "IMPORTED",
    /// "ORIGIN NOT KNOWN", or
    /// "" for a live GPU run.
    std::string badge() const;
    /// "The pipeline raced: ..." when the check of the data failed in any run of its job; empty otherwise. An
    /// error of the run, whose recording is kept all the same.
    std::string raceText() const;
    /// How far to trust a simulated run, in one or two sentences; "" for what was measured.
    std::string trust() const;
    /// What was read of its file is not all that is in it: parts of it are damaged, or newer than this
    /// program.
    bool heldMore() const;
    /// Bytes it holds in memory, with its other runs; about.
    std::size_t memoryBytes() const;
};
using RecordingPtr = std::shared_ptr<const Recording>;

/// Of a report's defects those that say that the file is damaged, or that something of it could not be used;
/// not those that are shown as a race or as a tool effect.
std::vector<Defect> damageOf(const Report& report);

/// Lanes, plan, facts and report of `data`. @throws Error when cancelled
std::shared_ptr<Recording> makeRecording(RecordingData data, std::string title, bool live,
                                         const RunControl& control = {});
/// What controls and proofs say becomes part of the report.
void applyNotes(Recording& recording);
/// The same recording to be changed: judged again from its trace, which is copied, with the same notes,
/// times, controls and proofs. @throws Error when cancelled
std::shared_ptr<Recording> remake(const Recording& recording, const RunControl& control = {});
/// Where the time went, of a recording that was made without (more than kAccountAtOnce operations).
/// @throws Error when cancelled
std::shared_ptr<const Ledger> accountFor(const Recording& recording, const RunControl& control = {});
/// The repeating iteration, its typical and its worst one judged, of a recording that was made without (more
/// than kAccountAtOnce operations). @throws Error when cancelled
std::shared_ptr<const SteadyState> steadyStateFor(const Recording& recording, const RunControl& control = {});
/// readRecording + makeRecording.
RecordingPtr openRecording(const std::filesystem::path& path, const RunControl& control = {});
void saveRecording(const Recording& recording, const std::filesystem::path& path,
                   const RunControl& control = {});
/// With what a person has added since instead of what it came with.
void saveRecording(const Recording& recording, const std::filesystem::path& path, const Annotations& added,
                   const RunControl& control = {});

} // namespace olab
