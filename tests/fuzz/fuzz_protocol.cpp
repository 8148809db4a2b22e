// Any bytes as what comes through the pipe between the program and its child, in either direction: cut into
// lines, each a job, a message or refused. What is accepted is sent on as the same.
#include "fuzz.h"

#include <olab/run/protocol.h>

#include <pipes.h>

using namespace olab;
using fuzz::require;

namespace {

void judgeJob(std::string_view line) {
    run::JobLine job;
    if (!fuzz::accepted([&] { job = run::jobFromLine(line); }))
        return;
    const std::string sent = run::toLine(job);
    require(sent.find('\n') == sent.size() - 1);
    const run::JobLine again = run::jobFromLine(sent);
    require(again.job == job.job && again.out == job.out && again.experiment == job.experiment);
    require(run::toLine(again) == sent);
}

void judgeMessage(std::string_view line) {
    run::EventLine event;
    if (!fuzz::accepted([&] { event = run::eventFromLine(line); }))
        return;
    errorKindFrom(event.errorKind);
    const std::string sent = run::toLine(event);
    require(sent.find('\n') == sent.size() - 1);
    const run::EventLine again = run::eventFromLine(sent);
    require(again.kind == event.kind && run::toLine(again) == sent);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    run::LineBuffer lines;
    lines.append(text.substr(0, size / 2)); // as a pipe hands it over: not at the ends of lines
    lines.append(text.substr(size / 2));
    lines.append("\n");
    for (std::string line; lines.next(line);) {
        judgeJob(line);
        judgeMessage(line);
    }
    return 0;
}
