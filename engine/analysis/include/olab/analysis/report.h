// The answer: overlap per pair and engine, bounds, waits, findings, verdicts. Plain data; io turns it into
// the JSON of cli.md. `devices` with class names, pair names and `derived` follow reference_overlap.py to the
// nanosecond.
#pragma once

#include <olab/analysis/job_runs.h>
#include <olab/analysis/ledger.h>
#include <olab/trace/trace.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace olab::analysis {

struct ClassNumbers {
    std::uint64_t count = 0;
    Ns busy = 0;       ///< length of the union
    Ns sum = 0;        ///< plain sum of durations
    Ns concurrent = 0; ///< time with two or more at once
    std::uint64_t zeroDuration = 0;
    std::int64_t bytes = 0;
    std::vector<std::string> streams; ///< sorted as text, as the contract has it
};

struct DerivedNumbers {
    Ns copyBusy = 0, kernelAndCopy = 0, copyHdBusy = 0, kernelAndCopyHd = 0;
    Ns copyHdExclUvmBusy = 0, kernelAndCopyHdExclUvm = 0;
    std::uint64_t uvmCount = 0;
    Ns uvmBusy = 0;
};

struct EngineNumbers {
    std::uint64_t count = 0;
    Ns busy = 0, concurrent = 0;
    std::vector<std::uint32_t> channels; ///< sorted, distinct
    std::map<ActivityClass, Ns> byClass; ///< busy ns of each class on this engine
};

struct DeviceReport {
    std::string id; ///< the device's number as text: the JSON key
    std::string name;
    std::string label{};    ///< for people: "GPU 0", "rank 3 · GPU 3"
    std::uint8_t index = 0; ///< into Trace::devices()
    Ns first = 0, last = 0, span = 0, idle = 0, busyAny = 0;
    /// Always the six classes of the contract; memcpy_other only when it occurs.
    std::map<ActivityClass, ClassNumbers> classes;
    std::map<std::pair<ActivityClass, ActivityClass>, Ns>
        pairs; ///< first < second, as the contract orders them
    DerivedNumbers derived;
    std::map<EngineKind, EngineNumbers> engines;                 ///< only engines with activities
    std::map<std::pair<EngineKind, EngineKind>, Ns> enginePairs; ///< first < second
};

/// A pair with at least this share of the attainable overlap counts as overlapped.
inline constexpr double kOverlapped = 0.80;

/// Stretched: they overlapped in time, but one slowed the other so much that little was gained. Apart: they
/// never met, neither waited for the other, and the ideal run of the same pipeline separates them too.
enum class VerdictKind : std::uint8_t {
    Overlapped,
    Stretched,
    Partial,
    Serialized,
    Apart,
    Inconclusive,
    NotApplicable
};
inline constexpr std::size_t kVerdictKinds = 7;
/// "overlapped", "stretched", "partial", "serialized", "apart", "inconclusive", "not_applicable"
std::string_view verdictName(VerdictKind v);

/// A pair that takes less of the run than this is shown small and last, because nothing important depends on
/// it.
inline constexpr double kMinorShare = 0.01;

/// `a` is the copy or memset (of_a says how much of it is hidden); blocked time is that of the class that
/// suffers more.
struct Verdict {
    std::string device;
    ActivityClass a{}, b{};
    VerdictKind kind = VerdictKind::NotApplicable;
    Ns overlap = 0;
    double ofAttainable = 0; ///< overlap / min(busy a, busy b)
    double ofA = 0, ofB = 0; ///< overlap / busy a (how much of a is hidden), overlap / busy b
    Ns blocked = 0;          ///< the larger of the next two, relative to the solo sum of the class that waits
    Ns blockedA =
        0; ///< waits of a's ops attributed to b, plus how much longer than solo they ran while b was resident
    Ns blockedB = 0;                   ///< the same with a and b exchanged
    Ns stretchedA = 0, stretchedB = 0; ///< of these, how much longer than solo they ran
    double slowedA = 0, slowedB = 0;   ///< the same as shares of the solo sum of a, of b
    double ofRun =
        0; ///< what the pair takes of the device's span: the shorter busy time, or `blocked` if that is more
    std::string text; ///< the sentence with the numbers that decided
    /// The share for the class that is slowed more.
    double slowed() const { return slowedA > slowedB ? slowedA : slowedB; }
    /// A class that was planned but left no record takes no time, yet is not minor.
    bool minor() const { return ofRun > 0 && ofRun < kMinorShare; }
    bool known = false; ///< both classes left records of some length; false: none of the numbers was computed
    /// Solo runs, and grid sizes where needed, show how the pair's ops affected each other.
    bool blockedKnown = false;
};

/// The numbers of a run as a whole, each with one definition (resources/doc/design/numbers.md); every view
/// takes them from here. Estimates until followIdeal() (ideal.h) has applied the account. A number that was
/// not computed is empty, never 0: without device work all are empty.
struct Bounds {
    /// Run time: TraceFacts::runSpan(). Also known for a run without tracing.
    std::optional<Ns> measured{};
    /// Back-to-back time: all operations one after the other at solo duration; at least the busy time of any
    /// engine or stream.
    std::optional<Ns> serial{};
    /// Run time without any cause of lost time: from the account, else the larger of the next two.
    std::optional<Ns> ideal{};
    bool idealIsEstimate = true; ///< there is no account
    /// The need of the busiest engine, and the longest chain of a stream and its events: never above `ideal`.
    std::optional<Ns> twoCopyEngines{}, criticalPath{};
    std::optional<Ns> oneCopyEngine{}; ///< the busiest engine of a device that had one copy engine only
    /// (serial - measured) / (serial - ideal); empty if the ideal is less than 5 % below serial, or if the
    /// run is not believed.
    std::optional<double> efficiency{};
    /// The bottleneck of the ideal run: "copy_h2d", "compute", "chain"; "nothing to overlap" if one engine
    /// does nearly all the work and nothing overlapped.
    std::string limiting;
    std::optional<Ns> limit() const; ///< the time that `limiting` needs
    /// The bottleneck takes at least half of the ideal; otherwise the host, latencies, filling and draining
    /// do.
    bool isLimited() const { return ideal && 2 * limit().value_or(0) >= *ideal; }
    bool gainsLittle = false; ///< one engine's work is nearly as long as `serial`
    bool believed = true;     ///< false: it raced, its controls failed, or its solo runs do not fit it
    bool fromSolos =
        true; ///< false: no solo runs, the shortest duration of each kind stands in (imported traces)
};

/// If tracing slowed the run by more than this, it is not judged (CLI contract, "What a verdict means").
inline constexpr double kMaxToolEffect = 1.10;

struct Collectives;
struct Communication;
struct SteadyState;

/// The same window traced and untraced, alternately, in children of each kind.
struct ToolEffect {
    Ns traced = 0, untraced = 0; ///< medians
    int runs = 0;                ///< of each kind
    /// Median of traced/untraced over neighbouring runs, which cancels slow drift. 0: unknown.
    double pairedRatio = 0;
    /// Name of the run that the effect was measured with: same experiment, same place ("Run 1"); empty: this
    /// run.
    std::string measuredWith{};
    double ratio() const {
        if (pairedRatio > 0)
            return pairedRatio;
        return untraced > 0 ? static_cast<double>(traced) / static_cast<double>(untraced) : 0;
    }
};

enum class FindingStatus : std::uint8_t { Proved, Confirmed, Consistent, Refuted };
std::string_view findingStatusName(FindingStatus s); ///< in documents
/// For people: a simulated run does not confirm anything about itself.
std::string_view findingStatusText(FindingStatus s, bool simulated);

struct Finding {
    std::string id; ///< the rule's id: "pageable", "null-stream", ...
    FindingStatus status = FindingStatus::Consistent;
    /// Its cost, from the account of lost time; without an account, as far as the rule can tell.
    Ns lost = 0;
    std::vector<ActivityIndex> activities; ///< evidence; at most kMaxEvidence, worst first
    std::string text, remedy;
    std::vector<std::pair<std::string, std::string>>
        tryChanges; ///< option changes that would remove the cause
    Ns waited = 0;  ///< all waiting it found, hidden or not; the part that costs run time is `lost`
    /// The explanation, with this run's numbers and the page of NVIDIA's documentation; shown on request.
    std::string why{};
};
inline constexpr std::size_t kMaxEvidence = 64;

struct Abstention {
    std::string rule, lacks;
};

struct HostNumbers {
    std::uint64_t hostFnCount = 0;
    Ns hostFnBusy = 0;
    struct Api {
        std::uint64_t count = 0;
        Ns median = 0, max = 0;
        Ns total = 0; ///< of all durations
    };
    std::map<std::string, Api> api; ///< by API name
};

/// Something that is often blamed for lost overlap and occurs in this recording, but is not a cause here.
struct NotCause {
    std::string id; ///< "get-last-error", "query", "stream-wait-event", "shared-data"
    std::uint64_t count = 0;
    Ns time = 0;      ///< total time of its calls; 0 if it is no call
    std::string text; ///< a sentence or two
};

/// A cause that this recording cannot show, and the reason.
struct NotObservable {
    std::string id, text;
};

struct Report {
    std::vector<DeviceReport> devices; ///< in the contract's order of device ids
    HostNumbers host;
    std::vector<Verdict> verdicts; ///< per device, every pair of {h2d, d2h, d2d, memset, kernel} that makes
                                   ///< sense, absent ones as NotApplicable
    Bounds bounds;
    std::optional<ToolEffect> toolEffect;
    std::vector<Finding> findings; ///< largest loss first
    std::vector<Abstention> abstained;
    std::vector<NotCause> notCauses;
    std::vector<NotObservable> notObservable;
    /// Where the time went (module replay); null: not computed yet, because it comes after the verdict.
    std::shared_ptr<const Ledger> ledger;
    /// Who waited for whom in the collectives of several devices; null: there are none.
    std::shared_ptr<const Collectives> collectives;
    /// Its time, hidden and exposed; null: no communication.
    std::shared_ptr<const Communication> communication;
    /// The repeating iteration; null: not computed yet, because it comes after the verdict.
    std::shared_ptr<const SteadyState> steadyState;
    std::vector<Defect> defects; ///< the trace's, those analysis added, and those of the job's other runs
    JobRuns runs;                ///< empty unless something went wrong in one of several
    RecordCounts counts;
};

} // namespace olab::analysis
