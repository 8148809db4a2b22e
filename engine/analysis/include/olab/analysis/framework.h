// What a recorded program is written with, as far as its kernels and ranges tell. Pure functions; any thread.
#pragma once

#include <olab/trace/trace.h>

namespace olab::analysis {

enum class Framework : std::uint8_t { None, PyTorch, OtherPython };

/// By names that only these bring along. O(names).
Framework frameworkOf(const Trace& trace);

/// Recorded on a GPU of AMD, or by a tool of ROCm: its program calls HIP.
bool isHip(const Trace& trace);
/// A text of this program in the words of HIP: "hipHostMalloc" for "cudaMallocHost". What HIP has no word for
/// (CUDA_MODULE_LOADING) stays.
std::string inHipWords(std::string_view text);

/// The operator that a range is one call of, as frameworks and libraries name them: "aten::add" of
/// "aten::add" and of "aten::add, seq = 7", "ReluBackward0", "Optimizer.step#SGD.step"; empty: it is none.
std::string_view operatorOf(std::string_view range);

/// Of a frame of Python that a profiler with stacks records: "torch/nn/modules/module.py(1510): _call_impl".
bool isPythonFrame(std::string_view range);

/// What a range is to the one who wrote the program.
enum class RangeKind : std::uint8_t { Operator, PythonFunction, ProfilerStep, Annotation, Nvtx };
std::string_view rangeKindName(RangeKind kind); ///< for people: "Python function"
/// Of a recording by a framework's profiler what is nothing else was annotated; of others it is NVTX.
RangeKind rangeKindOf(const Trace& trace, std::string_view range);

} // namespace olab::analysis
