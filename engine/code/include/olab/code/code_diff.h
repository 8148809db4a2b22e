// The difference between two programs: the shortest list of lines kept, removed and added. Pure.
#pragma once

#include <olab/code/cuda_code.h>

#include <vector>

namespace olab::code {

enum class CodeChange : std::uint8_t { Kept, Removed, Added };

struct DiffLine {
    CodeChange change{};
    CodeLine line; ///< from the program that has it; from the second if both do
};
std::vector<DiffLine> codeDiff(const CudaCode& before, const CudaCode& after);

} // namespace olab::code
