// A backend that runs schedules in a child process, `olab engine`, started by posix_spawn and controlled
// through pipes; no Qt. Two kinds: plain (never loads libcupti, reused from run to run unless they are to be
// compared with traced ones) and traced (CUPTI before cuInit; a fresh one for each job unless reuse is known
// to be safe, which RunOptions::keepPrepared says). A child is replaced after an error, a hang or a cancel;
// it is killed and reaped in the background. A finished child also exits in the background; the next one
// starts when it is gone. A fresh child may wait for the next run.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/experiment/held_experiment.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace olab::run {

class Departure;
class Elsewhere;
/// For backends whose children must not overlap: none starts before all others have exited.
std::shared_ptr<Departure> makeDeparture();

enum class ChildKind : std::uint8_t { Plain, Traced };

struct ChildConfig {
    std::filesystem::path program; ///< the `olab` to start
    ChildKind kind = ChildKind::Traced;
    /// traced: also keep the raw CUPTI buffers (fixtures): job N writes "<rawCuptiFile>.N"; empty: do not
    std::filesystem::path rawCuptiFile;
    /// A child that is silent for this long counts as hung: it ends itself, or is killed; Error. nullopt:
    /// OLAB_TIME_LIMIT, else the limit of the schedule (at least a minute).
    std::optional<std::chrono::seconds> silenceLimit;
    std::vector<std::string>
        extraArguments; ///< more arguments for `olab engine` ("--sim": it runs the simulator)
    std::shared_ptr<Departure> departure{}; ///< shared with other backends; null: its own
    /// Where the child runs; null: here. `program` then relays between it and this process.
    std::shared_ptr<const Elsewhere> elsewhere{};
};

class ChildBackend final : public experiment::Backend {
public:
    explicit ChildBackend(ChildConfig config);
    ~ChildBackend() override; ///< ends the child
    /// The child runs plan(planned.experiment) again; `out` gets the records of the file it wrote. Reads
    /// OLAB_FAULT for each run (experiment/backend.h).
    /// @throws Error as the child reported it ("run-hung" among them), "child-died" (with the signal),
    /// "child-hung", Cancelled (within 200 ms)
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override;
    /// The smallest value for devices=all: the child plans again, with the devices it finds.
    int deviceCount() override { return 2; }
    /// Starts a child for the next run of an experiment like this one, if none waits, and makes it initialize
    /// device and capture; does not wait for it. A run that needs a different child, or finds it dead,
    /// silently starts its own. A failure here is ignored: the next run reports it.
    void makeReady(const experiment::Experiment& experiment) noexcept;
    /// Ends the child that is kept for the next run, if there is one; does not wait for it.
    void giveBack();
    /// Waits until no child is still exiting: for programs that end or that measure next.
    void settle(const RunControl& control);
    int pid() const; ///< 0 when no child is alive; for tests and the log

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Whether a child could run experiments on a GPU, determined by a short-lived child: this process never
/// touches the driver.
struct EngineProbe {
    bool usable = false;
    std::string what;      ///< usable: "NVIDIA H200, driver 580.82, CUPTI 130001"
    std::string why, hint; ///< not usable: the reason and what to do
};
/// @throws Error only when cancelled
EngineProbe probeEngine(const std::filesystem::path& program, const RunControl& control = {});
/// The same of another machine. @throws Error also when it cannot be reached
EngineProbe probeEngine(const std::filesystem::path& program, const Elsewhere& elsewhere,
                        const RunControl& control = {});

/// The path of `olab`: next to this program, in ../bin, or on PATH. Empty if not found.
std::filesystem::path findOlab();

} // namespace olab::run
