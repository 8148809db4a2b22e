// What became of one program's lines in another: the shortest list of lines kept, removed and added. Pure.
#pragma once

#include <olab/code/cuda_code.h>

#include <vector>

namespace olab {

enum class CodeChange : std::uint8_t { Kept, Removed, Added };

struct DiffLine {
    CodeChange change{};
    CodeLine line; ///< of the program it is in; of the second where it is in both
};
std::vector<DiffLine> codeDiff(const CudaCode& before, const CudaCode& after);

} // namespace olab
