// All of one recording, const, shared with the window: experiment (if any), trace, lanes, facts, report.
// Everything derived from a trace is computed once, here, on the thread that makes the recording.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/comparison/controls.h>
#include <olab/comparison/proof.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_document.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace olab::recording {

/// The account of this many operations takes some tens of milliseconds; for more it is computed on demand.
inline constexpr std::size_t kAccountAtOnce = 20'000;

/// Shows whether a file was changed: its size and modification time. All zero: it does not exist.
struct FileStamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time{};
    static FileStamp of(const std::filesystem::path& path);
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Properties of a recording that are not in its file, or may differ from it.
struct RecordingNotes {
    std::string title; ///< what the label says, else "Run 3" or the file's name
    std::vector<io::Bookmark>
        bookmarks;                ///< sorted by begin; later changes by the user are kept by the window
    bool bookmarksPartly = false; ///< the file has more than are kept: saving there loses the rest
    io::RunLabel label;           ///< as in its file; later changes by the user are kept by Run
    bool labelPartly = false;     ///< as bookmarksPartly
    bool live = false;            ///< made by this process just now; false: read from a file
    std::filesystem::path file;   ///< read from or saved to; empty: unsaved
    FileStamp fileStamp;          ///< of that file when it was read
    std::string format;           ///< of that file, for people; empty: no file, or several
    /// Which of the traced runs of its job this is (from 1), and how many there were; 0: not from a job of
    /// traced runs.
    int tracedRun = 0, tracedRuns = 0;
    std::optional<comparison::Controls> controls; ///< control runs made to validate it
    std::vector<comparison::Proof> proofs;        ///< of its findings, by interventions
};

struct Recording : RecordingNotes {
    Recording() = default;
    Recording(const Recording&) = delete; // its facts refer to its trace
    Recording& operator=(const Recording&) = delete;

    std::shared_ptr<const experiment::Experiment> experiment; ///< null: the options are unknown
    std::shared_ptr<const experiment::Plan> schedule; ///< plan(*experiment); null: the plan is unknown
    Trace trace;
    std::shared_ptr<const LaneSet> lanes; ///< of the trace
    analysis::FactsPtr facts;   ///< of the four above; not null in recordings made by makeRecording()
    analysis::Report report;    ///< computed from the facts and the members below
    comparison::RunTimes times; ///< of all runs of its job; empty: a single run, or not kept
    /// repeat > 1: the other runs of the experiment, in order; this one is the median by makespan.
    std::vector<std::shared_ptr<const Recording>> otherRuns;

    /// The badge for simulated, recorded and imported recordings. "SIMULATED", "RECORDED", "IMPORTED",
    /// "ORIGIN NOT KNOWN", or "" for a live GPU run.
    std::string badge() const;
    /// "The pipeline raced: ..." if the data check failed in any run of its job; empty otherwise. An error of
    /// the run, whose recording is still kept.
    std::string raceText() const;
    /// How far to trust a simulated run, in one or two sentences; "" for measured runs.
    std::string trust() const;
    /// The file contains more than was read: parts of it are damaged, or newer than this program.
    bool heldMore() const;
    /// Approximate memory in bytes, including its other runs.
    std::size_t memoryBytes() const;
};
using RecordingPtr = std::shared_ptr<const Recording>;

/// The defects of a report about a damaged file or unusable parts of it, without those shown as a race or as
/// a tool effect.
std::vector<Defect> damageOf(const analysis::Report& report);

/// Lanes, plan, facts and report of `data`. @throws Error when cancelled
std::shared_ptr<Recording> makeRecording(io::RecordingData data, std::string title, bool live,
                                         const RunControl& control = {});
/// Controls and proofs become part of the report.
void applyNotes(Recording& recording);
void applyNotes(const Recording& recording, analysis::Report& report); ///< of another report about it
/// A changeable copy of the recording: analysed again from its copied trace, with the same notes, times,
/// controls and proofs. @throws Error when cancelled
std::shared_ptr<Recording> remake(const Recording& recording, const RunControl& control = {});
/// Adds what makeRecording() leaves out for more than kAccountAtOnce operations: account, repeating iteration
/// and their consequences. No effect if present. @throws Error when cancelled
void addAccount(Recording& recording, const RunControl& control = {});
/// Computes the account for a recording made without one (more than kAccountAtOnce operations).
/// @throws Error when cancelled
std::shared_ptr<const analysis::Ledger> accountFor(const Recording& recording,
                                                   const RunControl& control = {});
/// The basis of its account (replay/why.h), or why it has none. @throws Error when cancelled
std::vector<std::string> whyLines(const Recording& recording, const RunControl& control = {});
/// Computes the repeating iteration, with its typical and worst one judged, for a recording made without it
/// (more than kAccountAtOnce operations). They are judged by the account, or by the records alone where
/// `account` is null. @throws Error when cancelled
std::shared_ptr<const analysis::SteadyState>
steadyStateFor(const Recording& recording, const std::shared_ptr<const analysis::Ledger>& account,
               const RunControl& control = {});
/// The same iterations, judged by another account.
std::shared_ptr<const analysis::SteadyState> judgedBy(const std::shared_ptr<const analysis::Ledger>& account,
                                                      const analysis::SteadyState& found,
                                                      const Recording& recording,
                                                      const RunControl& control = {});
/// Its report with the properties of the recording; `file`: its location.
io::ReportDocument documentOf(const Recording& recording, const std::filesystem::path& file = {});
/// readRecording + makeRecording.
RecordingPtr openRecording(const std::filesystem::path& path, const RunControl& control = {});
void saveRecording(const Recording& recording, const std::filesystem::path& path,
                   const RunControl& control = {});
/// With the user's later additions instead of its original ones.
void saveRecording(const Recording& recording, const std::filesystem::path& path,
                   const io::Annotations& added, const RunControl& control = {});

} // namespace olab::recording
