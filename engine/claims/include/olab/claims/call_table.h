// Which API calls block what on a machine, as measured by the probe "calls" (experiment E09).
#pragma once

#include <olab/claims/claim_results.h>

namespace olab::claims {

enum class CallBlocks : std::uint8_t {
    Nothing,
    BlockingStreams, ///< other streams that synchronise with the NULL stream, but not the host
    OtherStreams,    ///< every stream, but not the host
    Host             ///< the call returns only when the work of other streams is done
};
std::string_view callBlocksText(CallBlocks b); ///< "nothing", "blocking streams", ...

struct CallRow {
    std::string name;
    CallBlocks blocks = CallBlocks::Nothing;
    double host = 0, hostMax = 0; ///< in the call while a kernel of another stream runs, ns: median, longest
    double overlap = 0;           ///< of two kernels of non-blocking streams with the call between them
    double blockingOverlap = 0;   ///< the same of blocking streams
};
inline constexpr std::string_view kCallsExperiment = "E09";
/// Sorted by name; empty if the experiment was not run or its controls failed.
std::vector<CallRow> callTable(const ClaimsResults& results);
std::string callTableJson(const ClaimsResults& results);
/// The first line has the column names; times in ns.
std::string callTableCsv(const ClaimsResults& results);
std::string callTableMarkdown(const ClaimsResults& results);

} // namespace olab::claims
