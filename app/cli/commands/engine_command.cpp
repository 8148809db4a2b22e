// The child process that runs experiments; only ChildBackend and probeEngine() start it.
#include "command.h"
#include "cuda_factory.h"

#include <olab/experiment/plan.h>
#include <olab/run/engine_loop.h>
#include <olab/run/protocol.h>
#include <olab/run/relay.h>
#include <olab/run/runner.h>
#include <olab/sim/sim_backend.h>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kEngineOptions[] = {
    {"--kind", "", "KIND", "plain: never loads CUPTI; traced: records with it"},
    {"--sim", "", "", "run the simulator instead of a GPU"},
    {"--keep-raw", "", "FILE", "traced: also keep the raw CUPTI buffers"},
    {"--serial-kernels", "", "",
     "traced: record kernels in the way that serialises them, to show what that does"},
    {"--probe", "", "", "say whether experiments could run here, and end"},
    {"--stream", "", "", "for a parent on another machine: events and recordings go to standard output"},
    {"--relay", "", "HOST",
     "pass on between the parent and the command behind --, which runs an engine there"},
    {"--hold", "", "", "keep a folder for a connection until it ends"},
};

void sendEvent(int descriptor, const run::EventLine& event) {
    const std::string line = run::toLine(event);
    if (::write(descriptor, line.data(), line.size()) < 0)
        say("The parent process is gone.");
}

run::EventLine failedEvent(const run::RunnerError& error) {
    run::EventLine event;
    event.kind = run::EventLine::Kind::Failed;
    event.errorKind = static_cast<int>(error.kind);
    event.code = error.code;
    event.message = error.message;
    event.hint = error.hint;
    return event;
}

int probe(int descriptor) {
    const CudaProbe found = probeCuda();
    run::EventLine ready;
    if (found.usable && !found.devices.empty())
        ready.what = found.devices.front().name + ", driver " + found.driver;
    sendEvent(descriptor, found.usable ? ready
                                       : failedEvent({ErrorKind::NoDevice, "no-device", found.why,
                                                      "The simulator (--backend sim) needs no device."}));
    return found.usable ? 0 : static_cast<int>(ErrorKind::NoDevice);
}

/// The simulator, which cannot fail, saying what a device would (OLAB_FAULT): for tests of all that lies
/// between a child and the window.
class ActingSimulator final : public experiment::Backend {
public:
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        m_simulator.run(planned, options, out, control);
        if (options.fault == experiment::Fault::Hang)
            for (;;)
                ::pause();
        if (options.fault == experiment::Fault::IllegalAddress)
            fail("kernel-fault", "a kernel touched memory it may not");
        if (options.fault == experiment::Fault::DeviceMemory)
            fail("out-of-device-memory", "there is not enough device memory");
        if (options.fault == experiment::Fault::PinnedMemory)
            fail("out-of-pinned-memory", "there is not enough pinned host memory");
    }

private:
    [[noreturn]] static void fail(const char* code, const std::string& what) {
        throw Error(ErrorKind::DeviceFailed, code, "The simulator acted it out: " + what + ".",
                    "Nothing is wrong with this machine: unset OLAB_FAULT.");
    }
    sim::SimBackend m_simulator;
};

std::unique_ptr<experiment::Backend> makeBackend(const Arguments& arguments) {
    const std::string kind = arguments.value("--kind");
    if (kind != "plain" && kind != "traced")
        throw Error(ErrorKind::Usage, "bad-kind",
                    "The kind of an engine is plain or traced, not '" + kind + "'.");
    if (arguments.has("--sim"))
        return std::make_unique<ActingSimulator>();
    return makeCudaBackend(kind == "traced", arguments.value("--keep-raw"),
                           arguments.has("--serial-kernels"));
}

/// Any program may have left a file open there: only a pipe is a parent's.
void takeEventPipe() {
    struct stat events {};
    if (::fstat(run::kEventDescriptor, &events) != 0 || !S_ISFIFO(events.st_mode))
        throw Error(ErrorKind::Usage, "internal-command", "'olab engine' is started by Overlap Lab itself.",
                    "Use 'olab run'.");
    ::fcntl(run::kEventDescriptor, F_SETFD, FD_CLOEXEC);
}

/// What drivers and kernels print on standard output must not come between the lines: it goes to standard
/// error.
int takeStream() {
    const int stream = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, run::kEventDescriptor + 1);
    if (stream < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Error(ErrorKind::Usage, "no-stream", "There is no standard output to send the events to.");
    run::sendGreeting(stream);
    return stream;
}

int serve(const Arguments& arguments, bool streams, int events) {
    if (arguments.has("--probe"))
        return probe(events);
    std::unique_ptr<experiment::Backend> backend;
    try {
        backend = makeBackend(arguments);
    } catch (...) {
        sendEvent(events, failedEvent(run::currentError()));
        throw;
    }
    return streams ? run::streamLoop(*backend, STDIN_FILENO, events)
                   : run::engineLoop(*backend, STDIN_FILENO, events);
}

int runEngine(const Arguments& arguments) {
    // A batch system that ends a job tells all its processes: the parent then ends this one, in good order.
    // Where there is no parent any more, its pipe ends.
    std::signal(SIGTERM, SIG_IGN);
    if (arguments.has("--hold"))
        return run::holdLoop(STDIN_FILENO, STDOUT_FILENO);
    if (arguments.has("--stream"))
        return serve(arguments, true, takeStream());
    takeEventPipe();
    if (!arguments.has("--relay"))
        return serve(arguments, false, run::kEventDescriptor);
    if (arguments.positional().empty())
        throw Error(ErrorKind::Usage, "internal-command", "The command to relay to is missing.");
    return run::relayEngine(arguments.value("--relay"), arguments.positional(), STDIN_FILENO,
                            run::kEventDescriptor);
}

} // namespace

extern const Command kEngineCommand{"engine",
                                    "--kind plain|traced [--sim]",
                                    "Internal: the child process that runs experiments.",
                                    "",
                                    kEngineOptions,
                                    0,
                                    100,
                                    runEngine,
                                    true};

} // namespace olab::cli
