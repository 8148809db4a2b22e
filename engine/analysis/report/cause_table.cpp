#include <olab/analysis/cause_table.h>

#include <algorithm>
#include <array>

namespace olab {
namespace {

constexpr std::string_view kSyncPage = "NVIDIA, CUDA Driver API, \"API synchronization behavior\" "
                                       "(docs.nvidia.com/cuda/cuda-driver-api/api-sync-behavior.html)";
constexpr std::string_view kAsyncPage = "NVIDIA, CUDA Programming Guide, \"Asynchronous Execution\"";
constexpr std::string_view kEnvironmentPage =
    "NVIDIA, CUDA Programming Guide, \"CUDA environment variables\"";
constexpr std::string_view kLazyPage = "NVIDIA, CUDA Programming Guide, \"Lazy loading\"";
constexpr std::string_view kDriverPage = "NVIDIA, CUDA Driver API, cuLaunchHostFunc";

constexpr OptionChange kSyncAtEnd[] = {{"sync.every", "end"}}, kNoEarlySync[] = {{"sync.at", "end"}},
                       kNoDeps[] = {{"deps", "none"}}, kNoCall[] = {{"interfere", "none"}},
                       kEager[] = {{"env.module_loading", "eager"}}, kPoll[] = {{"callback.method", "poll"}},
                       kAhead[] = {{"issue", "ahead"}}, kNotBlocking[] = {{"env.launch_blocking", "off"}},
                       kMostQueues[] = {{"env.max_connections", "32"}};
constexpr Remedy kLessSync[] = {
    {kSyncAtEnd}, {kNoEarlySync, "Leave out the wait before each D2H copy: stream order holds it already."}};
constexpr Remedy kFreeOrder[] = {{kNoDeps}};
constexpr Remedy kCallOutside[] = {{kNoCall}};
constexpr Remedy kLoadEarly[] = {{kEager}};
constexpr Remedy kWatch[] = {{kPoll},
                             {kAhead, "Issue all iterations ahead: the host's latency is then in no round."}};
constexpr Remedy kLaunchAsync[] = {{kNotBlocking}};
constexpr Remedy kMoreQueues[] = {{kMostQueues}};

using enum LossCause;
/// Those of a rule have its title, advice and remedies.
constexpr CauseRow kRows[] = {
    {.cause = Pageable,
     .why =
         "A copy engine reads and writes page-locked memory only. The driver therefore moves pageable data "
         "through a page-locked buffer of its own, piece by piece, while the issuing call waits: the host "
         "issues nothing else meanwhile.",
     .page = kSyncPage},
    {.cause = SameStream,
     .why = "Operations of one stream run in the order in which they were issued, also where none needs what "
            "the other leaves. The account lets one round (copies in, kernels, copies out) overlap the next, "
            "as with a stream and buffers for each, and keeps the order of the kernels.",
     .page = kAsyncPage},
    {.cause = NullStream,
     .why =
         "An operation in the legacy NULL stream begins when all work issued before in blocking streams has "
         "ended, and all that is issued after it in such streams waits for it.",
     .page = kAsyncPage},
    {.cause = MemsetFullGrid,
     .why = "A memset of device memory runs on the SMs, as a small kernel does: it needs room there, and a "
            "grid larger than the device holds at once leaves none until its last blocks begin.",
     .page = "NVIDIA forums, thread 237147"},
    {.cause = LaunchBound,
     .why =
         "Each call costs the host some microseconds. Where the operations are as short as that, the device "
         "has done each before the next is issued."},
    {.cause = HostSync,
     .title = "The host waited before it issued more",
     .advice = "Wait once, behind everything; where one stream needs what another has done, let the stream "
               "wait (cudaStreamWaitEvent), not the host.",
     .why = "While a thread waits for the device it issues nothing, so that the engines run dry: when it "
            "returns there is nothing queued.",
     .page = kSyncPage,
     .remedies = kLessSync,
     .namesCall = true},
    {.cause = HostLate,
     .title = "The host issued late",
     .advice = "Issue the work earlier, or from another thread: what the host does between two calls holds "
               "the device where nothing is queued.",
     .why = "The device had nothing left to do, and the host was busy with something else than issuing.",
     .namesCall = true},
    {.cause = EventOrder,
     .title = "An event made streams wait",
     .advice = "Let a stream wait only for what it reads (record the event directly behind that), and leave "
               "out waits that stream order makes needless.",
     .why = "A stream that waits for an event (cudaStreamWaitEvent) begins nothing before all work has ended "
            "that was issued before the event was recorded.",
     .page = kAsyncPage,
     .remedies = kFreeOrder},
    {.cause = DeviceBarrier,
     .title = "A call emptied the device",
     .advice = "Allocate, pin and free outside of the loop, or in stream order (cudaMallocAsync, "
               "cudaFreeAsync): such calls wait until all streams are empty.",
     .why = "The call returned only when all work that was issued before had ended, and nothing was queued "
            "meanwhile.",
     .page = "NVIDIA, CUDA Runtime API, cudaFree (\"may perform implicit synchronization\")",
     .remedies = kCallOutside,
     .namesCall = true},
    {.cause = FirstLaunch,
     .title = "Kernels were loaded at their first launch",
     .advice = "Launch each kernel once before it matters, or load all when the process starts "
               "(CUDA_MODULE_LOADING=EAGER).",
     .why = "Kernels are loaded when they are first launched, and loading one may have to wait until the "
            "device is empty.",
     .page = kLazyPage,
     .remedies = kLoadEarly},
    {.cause = Callback,
     .title = "Streams waited for host functions",
     .advice = "Record an event where the host function is, and let a thread of your own ask for it "
               "(cudaEventQuery) or wait for it: the stream then goes on without the host.",
     .why = "A host function holds its stream until it has returned, and one thread of the driver runs those "
            "of all streams, one after the other; each also has to be woken up.",
     .page = kDriverPage,
     .remedies = kWatch},
    {.cause = LaunchBlocking,
     .title = "Every launch waited for its work",
     .advice = "Unset CUDA_LAUNCH_BLOCKING, or leave out what synchronises behind each launch: it is for "
               "debugging.",
     .why = "At least 9 of 10 launches returned only when their kernel had ended, so that nothing else was "
            "queued beside it.",
     .page = kEnvironmentPage,
     .remedies = kLaunchAsync},
    {.cause = Connections,
     .title = "Streams shared a hardware queue",
     .advice = "Allow as many hardware queues as there are streams (CUDA_DEVICE_MAX_CONNECTIONS, 32 at most, "
               "set before the process starts; 8 where it is not set), or use fewer streams.",
     .why = "Streams that share a hardware queue begin their work in the order in which it was issued, as if "
            "they depended on each other.",
     .page = kEnvironmentPage,
     .remedies = kMoreQueues},
    {.cause = HeadOfLine,
     .why =
         "All copies of one direction share an engine, which does one after the other and interrupts none."},
    {.cause = Stretched,
     .title = "Slowed by what ran beside it",
     .advice = "Nothing to mend in the order of the work: less traffic would help. See whether kernels read "
               "or write host memory in place, and whether both directions need the link at once.",
     .why = "Work that runs at once shares the link to the host, the memory of the device and the SMs: it "
            "took longer than the same work takes alone."},
    {.cause = Tool,
     .title = "The recording took time itself",
     .advice = "Believe the untraced time; record fewer kinds of activities.",
     .why = "Each recorded activity costs the host and the device a little.",
     .page = "NVIDIA, CUPTI documentation (docs.nvidia.com/cupti/main/main.html)"},
    {.cause = EngineBound,
     .why = "An engine does one thing at a time: what waits for it waits for the bound."},
    {.cause = FullGrid,
     .title = "The SMs had other work",
     .advice = "What helps now is less or faster work on the SMs.",
     .why = "A grid that fills the device leaves no room for another: their work adds up."},
    {.cause = Priority,
     .why = "Blocks of a stream of higher priority get the room that becomes free first, also where work of "
            "others has waited longer. What runs is not interrupted, and copies have no priority.",
     .page = "NVIDIA, CUDA Driver API, cuStreamCreateWithPriority"},
    {.cause = QueueFull,
     .why =
         "A hardware queue holds about a thousand operations that have not ended. The call that issues one "
         "more returns only when one has begun, and its thread issues nothing for other streams meanwhile.",
     .page = kEnvironmentPage},
    {.cause = UnifiedMemory,
     .why = "Managed memory moves page by page when it is touched where it is not: the kernel stands while "
            "its pages come.",
     .page = "NVIDIA, CUDA Programming Guide, \"Unified Memory\""},
    {.cause = BothDirections,
     .why =
         "Copies in both directions have engines of their own, but share the memory of the host, and often "
         "the way to it."},
    {.cause = CopyEngineShared,
     .why = "An engine does one copy at a time, and this device has one for both directions."},
    {.cause = TooFewStreams,
     .why = "Operations of one stream run in the order in which they were issued: at any time no more can "
            "run than there are streams.",
     .page = kAsyncPage},
    {.cause = Ramp,
     .why = "Until the first data has come, and when the last is on its way back, the other engines have "
            "nothing to do."},
};

const RuleRow* ruleOf(std::string_view id) {
    const auto rule = std::ranges::find(ruleTable(), id, &RuleRow::id);
    return rule == ruleTable().end() ? nullptr : &*rule;
}

std::vector<CauseRow> completed() {
    std::vector<CauseRow> rows(std::begin(kRows), std::end(kRows));
    for (CauseRow& row : rows)
        if (const RuleRow* rule = ruleOf(lossCauseId(row.cause))) {
            row.title = rule->title;
            row.advice = rule->advice;
            row.remedies = rule->remedies;
        }
    return rows;
}

} // namespace

std::span<const CauseRow> causeTable() {
    static const std::vector<CauseRow> rows = completed();
    return rows;
}

const CauseRow* causeRowOf(LossCause cause) {
    const auto row = std::ranges::find(causeTable(), cause, &CauseRow::cause);
    return row == causeTable().end() ? nullptr : &*row;
}

LossCause lossCauseOf(std::string_view id) {
    for (std::size_t c = 1; c < kLossCauses; ++c)
        if (lossCauseId(static_cast<LossCause>(c)) == id)
            return static_cast<LossCause>(c);
    return LossCause::None;
}

bool isRule(std::string_view id) {
    return ruleOf(id) != nullptr;
}

std::vector<std::string_view> findingIds() {
    std::vector<std::string_view> ids;
    for (const RuleRow& row : ruleTable())
        ids.push_back(row.id);
    for (const CauseRow& row : causeTable())
        if (!isRule(lossCauseId(row.cause)))
            ids.push_back(lossCauseId(row.cause));
    return ids;
}

std::string_view findingTitle(std::string_view id) {
    if (const RuleRow* rule = ruleOf(id))
        return rule->title;
    const CauseRow* row = causeRowOf(lossCauseOf(id));
    return row ? row->title : id;
}

} // namespace olab
