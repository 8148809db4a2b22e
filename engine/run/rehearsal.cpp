#include "rehearsal.h"

#include <cstdlib>
#include <unistd.h>

namespace olab::run {
namespace {

constexpr rlim_t kFullAt = 512; ///< above the header of a recording, below its first records

std::string allNames() {
    std::string names;
    for (const experiment::FaultName& row : experiment::kFaultNames)
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

} // namespace

experiment::Fault wantedFault() {
    const char* text = std::getenv("OLAB_FAULT");
    const std::string name = text ? text : "";
    if (const std::optional<experiment::Fault> fault = experiment::faultNamed(name))
        return *fault;
    throw Error(ErrorKind::Usage, "bad-fault", "OLAB_FAULT cannot be '" + name + "'.",
                "Allowed: " + allNames() + "; or unset it.");
}

Error rehearsed(const Error& error, experiment::Fault fault) {
    return {error.kind(), error.code(),
            std::string(error.what()) + " This is a rehearsal: OLAB_FAULT=" +
                std::string(experiment::faultName(fault)) + " asked for it.",
            error.hint()};
}

void dieLoudly() {
    const rlimit noCore{};
    ::setrlimit(RLIMIT_CORE, &noCore);
    std::abort();
}

void fallSilent() {
    for (;;)
        ::pause();
}

FullDisk::FullDisk()
    : m_handler(std::signal(SIGXFSZ, SIG_IGN)) { // else it ends the process before write() can fail
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit full{kFullAt, m_before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
}

FullDisk::~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
}

} // namespace olab::run
