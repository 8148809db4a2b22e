// What a capture asks of CUPTI: that it is one we know, that nobody else has it, and which records are
// wanted. Private to cupti.
#pragma once

#include "graph_nodes.h"

#include <olab/cupti/host_program.h>

namespace olab::cupti {

/// Loads it and looks at its version and its records. @throws Error
void checkLibrary(HostProgram host);
/// Some tools take records in their own way, which CUPTI does not see; the capture would be empty or theirs.
/// @throws Error cupti-busy
void refuseOtherTools(HostProgram host);
/// Records need no subscriber; subscribing finds another tool that would spoil them, and names it.
/// @throws Error
CUpti_SubscriberHandle subscribe(GraphNodes& nodes);
/// System thread ids, the buffers' callbacks, the kinds of the table. @throws Error
/// `serialKernels`: kernels by the kind that serialises them.
void enableRecords(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed,
                   bool serialKernels);

/// Hands what is complete to the callback; `forced`: all that there is. @throws Error
void flushBuffers(bool forced);
/// Records for which there was no room, since the last call. @throws Error
std::uint64_t takeDroppedRecords();

} // namespace olab::cupti
