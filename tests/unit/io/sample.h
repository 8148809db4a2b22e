// A small trace and a report with every field set, for the tests of io.
#pragma once

#include <olab/analysis/report.h>
#include <olab/trace/trace_builder.h>

namespace olab::test {

/// One device, two streams: a kernel, an H2D copy under it, a host function, an API call; one refused record
/// and one notice.
Trace sampleTrace();
/// Numbers that no code computes, each different, so that a mix-up of two fields is seen.
analysis::Report sampleReport();

} // namespace olab::test
