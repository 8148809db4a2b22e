// The results of a run of the claims: verdicts, the numbers of each experiment, where and when. As JSON for
// scripts, the window and the shipped results ("olab-claims", version 1).
#pragma once

#include <olab/claims/claim_judge.h>

#include <optional>

namespace olab::claims {

/// Of one experiment.
struct LabResult {
    std::string id, title;
    double seconds = 0;
    std::string missing{};                   ///< why nothing was measured; empty: something was
    bool failed = false;                     ///< the run failed on a device that supports it
    std::string control{};                   ///< why it is not believed; empty: its controls hold
    std::map<std::string, double> numbers{}; ///< measured by a probe; for runs "RUN.makespan", ns
    std::vector<std::string> files{};        ///< the recordings that were kept
};

enum class ClaimsSource : std::uint8_t { Measured, Simulated, Recorded };
std::string_view claimsSourceName(ClaimsSource s); ///< "measured", "simulated", "recorded"

struct ClaimsResults {
    ClaimsSource source = ClaimsSource::Measured;
    std::string recordedAt;                         ///< ISO 8601, UTC
    std::map<std::string, std::string> environment; ///< device, driver, runtime, cupti, platform
    std::vector<ClaimResult> claims;                ///< in the order of the table
    std::vector<LabResult> experiments;
    double seconds = 0;
};
const ClaimResult* findResult(const ClaimsResults& results, std::string_view claim); ///< null: not judged
const LabResult* findLabResult(const ClaimsResults& results, std::string_view experiment);

/// Indented with two spaces; with the sentence and the documented answer of each claim.
std::string claimsToJson(const ClaimsResults& results);
/// @throws Error kind Usage: not of this format, or newer
ClaimsResults claimsFromJson(std::string_view json);
/// Those measured on an H200 that come with the program, marked as recorded; nothing: there are none.
const std::optional<ClaimsResults>& recordedClaims();

// Which API calls block what on a machine, as measured by the probe "calls" (experiment E09).

enum class CallBlocks : std::uint8_t {
    Nothing,
    BlockingStreams, ///< other streams that synchronise with the NULL stream, but not the host
    OtherStreams,    ///< every stream, but not the host
    Host             ///< the call returns only when other work is done
};
std::string_view callBlocksText(CallBlocks b); ///< "nothing", "blocking streams", ...

/// Whose work the host waits for in the call, beyond the time that the call takes alone.
enum class HostWaits : std::uint8_t {
    Nothing,
    ItsStream,       ///< work in the stream (or behind the event) that the call names
    BlockingStreams, ///< work in streams that synchronise with the NULL stream
    OtherStreams     ///< work in any stream
};
std::string_view hostWaitsText(HostWaits w); ///< "nothing", "its stream", ...

struct CallRow {
    std::string name;
    CallBlocks blocks = CallBlocks::Nothing;
    HostWaits waits = HostWaits::Nothing;
    double kernel = 0;            ///< length of each of the two kernels, ns
    double host = 0, hostMax = 0; ///< in the call while a kernel of another stream runs, ns: median, longest
    double overlap = 0;           ///< of two kernels of non-blocking streams with the call between them
    // Empty: not measured, or the call takes no stream.
    std::optional<double> hostAlone;       ///< in the call while nothing runs, ns
    std::optional<double> hostBlocking;    ///< in the call while a kernel of a blocking stream runs, ns
    std::optional<double> hostBehind;      ///< in the call while a kernel of its own stream runs, ns
    std::optional<double> blockingOverlap; ///< of two kernels of blocking streams
};
inline constexpr std::string_view kCallsExperiment = "E09";
/// Sorted by name; empty if the experiment was not run or its controls failed.
std::vector<CallRow> callTable(const ClaimsResults& results);
std::string callTableJson(const ClaimsResults& results);
/// The first line has the column names; times in ns.
std::string callTableCsv(const ClaimsResults& results);
std::string callTableMarkdown(const ClaimsResults& results);

} // namespace olab::claims
