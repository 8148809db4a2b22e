// The framework of a recorded program, as far as its kernels and ranges show it. Pure functions; any thread.
#pragma once

#include <olab/trace/trace.h>

namespace olab::analysis {

enum class Framework : std::uint8_t { None, PyTorch, OtherPython };

/// From names that only this framework uses. O(names).
Framework frameworkOf(const Trace& trace);

/// The operator that a range is a call of, as frameworks and libraries name it: "aten::add" for "aten::add"
/// and for "aten::add, seq = 7", "ReluBackward0", "Optimizer.step#SGD.step"; empty: no operator.
std::string_view operatorOf(std::string_view range);

/// Whether it is a Python frame from a profiler with stacks: "torch/nn/modules/module.py(1510): _call_impl".
bool isPythonFrame(std::string_view range);

/// What a range means to the author of the program.
enum class RangeKind : std::uint8_t { Operator, PythonFunction, ProfilerStep, Annotation, Nvtx };
std::string_view rangeKindName(RangeKind kind); ///< for people: "Python function"
/// In a recording by a framework's profiler, a range of no other kind is an annotation; in others it is NVTX.
RangeKind rangeKindOf(const Trace& trace, std::string_view range);

} // namespace olab::analysis
