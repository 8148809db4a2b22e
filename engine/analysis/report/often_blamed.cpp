// Things that are often blamed but are no cause: facts about CUDA (its API synchronization behaviour),
// reported only if such calls occur. And things that cannot be seen, depending on the records and the system.
// such calls occur. What cannot be seen: which records there are, and on which system.
#include <olab/analysis/cause_findings.h>

#include <olab/analysis/race.h>
#include <olab/analysis/waits.h>
#include <olab/experiment/planned_change.h>

#include <algorithm>
#include <array>

namespace olab::analysis {
namespace {

// --- not a cause

struct Blamed {
    std::string_view id;
    std::array<std::string_view, 3> names; ///< the call's name contains one of these
    std::string_view because;
};
constexpr auto kOftenBlamed = std::to_array<Blamed>({
    {"get-last-error",
     {"GetLastError", "PeekAtLastError", "~"},
     "it reads a variable of the thread, waits for nothing and orders nothing"},
    {"query",
     {"StreamQuery", "EventQuery", "~"},
     "it asks and does not wait; asked without a pause it takes the thread's time, not the device's"},
    {"stream-wait-event",
     {"StreamWaitEvent", "~", "~"},
     "the host does not wait in it, it only tells a stream to wait"},
});
/// Calls that take at least this share of the run may delay what their thread issues.
constexpr double kMuch = 0.05;

bool isMeant(const Blamed& row, std::string_view call) {
    return std::ranges::any_of(row.names,
                               [&](std::string_view name) { return call.find(name) != call.npos; });
}

Ns costOf(const Report& report, LossCause cause) {
    if (!report.ledger)
        return 0;
    const auto& entries = report.ledger->entries;
    const auto at = std::ranges::find(entries, cause, &LedgerEntry::cause);
    return at == entries.end() ? 0 : at->cost;
}

/// If the host delayed the run and spent much time in these calls, they may be a cause.
bool mayBeCause(const Report& report, Ns time) {
    const double run = static_cast<double>(report.bounds.measured.value_or(0));
    const Ns byHost = costOf(report, LossCause::HostLate) + costOf(report, LossCause::LaunchBound);
    return static_cast<double>(time) >= kMuch * run && static_cast<double>(byHost) >= kWorthAFinding * run;
}

NotCause found(const Blamed& row, const HostNumbers& host) {
    NotCause blamed{std::string(row.id), 0, 0, {}};
    std::string names;
    for (const auto& [name, api] : host.api)
        if (isMeant(row, name)) {
            blamed.count += api.count;
            blamed.time += api.total;
            names += (names.empty() ? "" : ", ") + name;
        }
    blamed.text = names + " (" + std::to_string(blamed.count) + (blamed.count == 1 ? " call, " : " calls, ") +
                  timeText(blamed.time) + " in all): " + std::string(row.because) + ".";
    return blamed;
}

/// Streams that share unordered data race; they do not wait for each other.
void addSharedData(Report& report, const Facts& facts) {
    const bool races =
        !raceText(report).empty() || (facts.plan() && experiment::mayRaceInAFewPasses(*facts.plan()));
    if (races)
        report.notCauses.push_back(
            {"shared-data", 0, 0,
             "Streams here share data that nothing orders: that makes a race, which may give wrong results. "
             "It makes no stream wait for another."});
}

void addNotCauses(Report& report, const Facts& facts) {
    for (const Blamed& row : kOftenBlamed) {
        NotCause blamed = found(row, report.host);
        if (blamed.count == 0 || mayBeCause(report, blamed.time))
            continue;
        if (const Ns cost = costOf(report, LossCause::EventOrder); row.id == "stream-wait-event" && cost > 0)
            blamed.text +=
                " What the waiting of its stream costs is told as the event's: " + timeText(cost) + ".";
        report.notCauses.push_back(std::move(blamed));
    }
    addSharedData(report, facts);
}

// --- not observable

bool isLinux(const Trace& trace) {
    const auto platform = trace.environment().find("platform");
    return platform != trace.environment().end() && platform->second.starts_with("Linux");
}
bool always(const Trace&) {
    return true;
}
/// If migrations were recorded, a finding reports them.
bool noMigrations(const Trace& trace) {
    return std::ranges::none_of(trace.kinds(),
                                [](const ActivityKind& kind) { return (kind.flags & kFlagUnified) != 0; });
}

struct Hidden {
    std::string_view id;
    bool (*applies)(const Trace&);
    std::string_view text;
};
constexpr auto kHidden = std::to_array<Hidden>({
    {"submission", isLinux,
     "Batching by the driver model of Windows (WDDM, hardware scheduling): this run was on Linux, which "
     "hands "
     "each call to the device at once. Compare sim.submission=wddm on the simulator."},
    {"clocks", always,
     "Clocks that ramp up, power and thermal limits: no such records are made while a run is recorded, since "
     "asking for them takes time. A first run that is slower than its repeats is a sign."},
    {"other-processes", always,
     "Other processes and the desktop on the same device: records tell of this process only. "
     "olab run --controls shows whether the device is shared."},
    {"descheduled", always,
     "A host thread that the system took off its core: it looks like a thread that made no call."},
    {"driver-locks", always,
     "Threads that wait for each other inside the driver: only that a call took long is recorded. "
     "Compare issue.threads=1."},
    {"pool-dependencies", always,
     "Dependencies that a memory pool adds to streams (cudaMallocAsync): records of memory operations are "
     "not "
     "asked for."},
    {"unified-memory", noMigrations,
     "Page faults and migrations of managed memory: their counters are not asked for, since they slow the "
     "run. They look like kernels that take longer than alone."},
    {"carve-out", always,
     "SMs that are emptied to change how much of their memory is shared: nothing records that they were."},
    {"local-memory", always,
     "Local memory that is made larger for the first kernel that needs more, which empties the device: only "
     "that its call took long is recorded. Launch each kernel once before it matters."},
    {"host-memory", always,
     "Kernels that read or write host memory in place (mapped, managed): no record says which memory a "
     "kernel "
     "touches. They look like kernels that take longer than alone."},
    {"graph-edges", always,
     "What waits for what within a CUDA graph: its nodes are recorded, its edges are not. A plan of this "
     "program knows them, a graph of another program looks like work that nothing orders."},
    {"strided-copies", always,
     "Copies of rows with gaps between them (cudaMemcpy2D): a record has the bytes, not their layout. They "
     "look like copies that are slower than others of their size."},
    {"numa", always,
     "Which part of the host's memory a buffer lies in, and which bridges are on the way to it: no record "
     "says. Such copies are slower than those of the same size elsewhere. Compare numactl --cpunodebind."},
    {"device-memory", always,
     "How busy the memory and the cache of the device are: counters of the hardware are not asked for "
     "here. It shows as work that is slowed by what runs beside it."},
    {"shared-sms", always,
     "How many SMs a process was given (MPS, MIG, green contexts): the records of kernels do not say. A grid "
     "then fills the device sooner than its size tells."},
    {"encryption", always,
     "Copies that are encrypted on their way (confidential computing): nothing records it. They are slower "
     "than the link."},
    {"debuggers", always,
     "Debuggers and sanitizers that make everything run one by one: no record names them. Run without them."},
});

} // namespace

void addOftenBlamed(Report& report, const Facts& facts) {
    report.notCauses.clear();
    report.notObservable.clear();
    addNotCauses(report, facts);
    if (facts.deviceWork().size() == 0)
        return;
    for (const Hidden& row : kHidden)
        if (row.applies(facts.trace()))
            report.notObservable.push_back({std::string(row.id), std::string(row.text)});
}

} // namespace olab::analysis
