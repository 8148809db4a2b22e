// The lines between the window (or `olab run`) and its children `olab engine`: one JSON object per line.
// Parent to child, on stdin:
//   {"job":1,"experiment":{...},"out":"/path.olab","solos":true,"loops":0,"limit_s":60,"fault":"hang",
//    "probe":"calls","keep":true}   fault: only if one is requested; probe: runs instead of the experiment;
//                           keep: streams and buffers stay for the next job
//   {"prepare":{...}}       an experiment like the next one: initialize what it needs; no event answers it,
//                           and a child that cannot do so exits
// Child to parent, on descriptor kEventDescriptor (drivers and kernels may print on stdout):
//   {"event":"ready","what":"..."}        once, when it accepts jobs; `what` only from a probe
//   {"event":"started","job":1}
//   {"event":"progress","job":1,"share":0.5,"what":"..."}
//   {"event":"finished","job":1,"file":"/path.olab"}
//   {"event":"failed","job":1,"kind":4,"code":"...","message":"...","hint":"..."}
//                                         job 0: the child itself could not start
#pragma once

#include <olab/experiment/backend.h>
#include <olab/experiment/held_experiment.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace olab::run {

inline constexpr int kEventDescriptor = 3;

struct JobLine {
    std::uint64_t job = 0;
    experiment::HeldExperiment experiment;
    std::filesystem::path out;
    bool solos = true;
    std::int64_t loops = 0;
    std::chrono::seconds limit{0}; ///< for a step of the job: beyond it the child ends itself; 0: none
    experiment::Fault fault = experiment::Fault::None;
    std::string probe{};  ///< empty: the experiment is run
    bool keep = false;    ///< RunOptions::keepPrepared
    bool prepare = false; ///< only the experiment counts
};
struct EventLine {
    enum class Kind : std::uint8_t { Ready, Started, Progress, Finished, Failed } kind{};
    std::uint64_t job = 0;
    double share = 0;
    std::string what;
    std::filesystem::path file;
    int errorKind = 0;
    std::string code, message, hint;
};
std::string toLine(const JobLine& job);     ///< with the newline
std::string toLine(const EventLine& event); ///< with the newline
/// @throws Error (bad-protocol) for an invalid line.
JobLine jobFromLine(std::string_view line);
EventLine eventFromLine(std::string_view line);

} // namespace olab::run
