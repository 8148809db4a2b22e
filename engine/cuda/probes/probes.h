// Probes: small programs that measure what no option of an experiment can express (which call is a barrier,
// what happens with a pointer that is not a device pointer, ...). One file each and a row in probes.cpp;
// `olab engine` runs one in a child when a job asks for it (RunOptions::probe). Results are named numbers
// (kNumberKey); times in ns, shares from 0 to 1, "is it so" 0 or 1.
#pragma once

#include <olab/trace/records.h>
#include <olab/trace/run_control.h>

#include <string>

namespace olab::cuda::probes {

/// On the current device. @throws Error: "no-probe", "needs-two-gpus", and as check() does
void run(const std::string& name, RecordSink& out, const RunControl& control);

} // namespace olab::cuda::probes
