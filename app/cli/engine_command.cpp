// The child process that runs experiments; only ChildBackend and probeEngine() start it.
#include "command.h"
#include "cuda_factory.h"

#include <olab/experiment/plan.h>
#include <olab/run/engine_loop.h>
#include <olab/run/protocol.h>
#include <olab/run/runner.h>
#include <olab/sim/sim_backend.h>

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
};

void sendEvent(const EventLine& event) {
    const std::string line = toLine(event);
    if (::write(kEventDescriptor, line.data(), line.size()) < 0)
        say("The parent process is gone.");
}

EventLine failedEvent(const RunnerError& error) {
    EventLine event;
    event.kind = EventLine::Kind::Failed;
    event.errorKind = static_cast<int>(error.kind);
    event.code = error.code;
    event.message = error.message;
    event.hint = error.hint;
    return event;
}

int probe() {
    const CudaProbe found = probeCuda();
    EventLine ready;
    if (found.usable && !found.devices.empty())
        ready.what = found.devices.front().name + ", driver " + found.driver;
    sendEvent(found.usable ? ready
                           : failedEvent({ErrorKind::NoDevice, "no-device", found.why,
                                          "The simulator (--backend sim) needs no device."}));
    return found.usable ? 0 : static_cast<int>(ErrorKind::NoDevice);
}

/// The simulator, which cannot fail, saying what a device would (OLAB_FAULT): for tests of all that lies
/// between a child and the window.
class ActingSimulator final : public Backend {
public:
    void run(const Plan& planned, const RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        m_simulator.run(planned, options, out, control);
        if (options.fault == Fault::Hang)
            for (;;)
                ::pause();
        if (options.fault == Fault::IllegalAddress)
            fail("kernel-fault", "a kernel touched memory it may not");
        if (options.fault == Fault::DeviceMemory)
            fail("out-of-device-memory", "there is not enough device memory");
        if (options.fault == Fault::PinnedMemory)
            fail("out-of-pinned-memory", "there is not enough pinned host memory");
    }

private:
    [[noreturn]] static void fail(const char* code, const std::string& what) {
        throw Error(ErrorKind::DeviceFailed, code, "The simulator acted it out: " + what + ".",
                    "Nothing is wrong with this machine: unset OLAB_FAULT.");
    }
    SimBackend m_simulator;
};

std::unique_ptr<Backend> makeBackend(const Arguments& arguments) {
    const std::string kind = arguments.value("--kind");
    if (kind != "plain" && kind != "traced")
        throw Error(ErrorKind::Usage, "bad-kind",
                    "The kind of an engine is plain or traced, not '" + kind + "'.");
    if (arguments.has("--sim"))
        return std::make_unique<ActingSimulator>();
    return makeCudaBackend(kind == "traced", arguments.value("--keep-raw"),
                           arguments.has("--serial-kernels"));
}

int runEngine(const Arguments& arguments) {
    // Any program may have left a file open there: only a pipe is a parent's.
    struct stat events {};
    if (::fstat(kEventDescriptor, &events) != 0 || !S_ISFIFO(events.st_mode))
        throw Error(ErrorKind::Usage, "internal-command", "'olab engine' is started by Overlap Lab itself.",
                    "Use 'olab run'.");
    ::fcntl(kEventDescriptor, F_SETFD, FD_CLOEXEC);
    if (arguments.has("--probe"))
        return probe();
    std::unique_ptr<Backend> backend;
    try {
        backend = makeBackend(arguments);
    } catch (...) {
        sendEvent(failedEvent(currentError()));
        throw;
    }
    return engineLoop(*backend, STDIN_FILENO, kEventDescriptor);
}

} // namespace

extern const Command kEngineCommand{"engine",
                                    "--kind plain|traced [--sim]",
                                    "Internal: the child process that runs experiments.",
                                    "",
                                    kEngineOptions,
                                    0,
                                    0,
                                    runEngine,
                                    true};

} // namespace olab::cli
