// The CUDA program that does what an experiment does: one source file that needs nothing but nvcc, as a
// programmer would write it by hand. A pure function of the options; contains only what the options in effect
// need. Any thread may call.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/schedule.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab::code {

struct CodeLine {
    std::string text;
    std::vector<std::string_view> options; ///< keys of the options it comes from
    std::uint32_t ops = 0;                 ///< a bit per OpKind that it executes in the measured window
    friend bool operator==(const CodeLine&, const CodeLine&) = default;
};
bool executes(const CodeLine& line, experiment::OpKind kind);
bool isMadeBy(const CodeLine& line, std::string_view key);

struct CudaCode {
    std::vector<CodeLine> lines;
    /// One sentence for each option whose value the program cannot express; the program's header lists them
    /// too.
    std::vector<std::string> missing;
};

/// @throws Error kind Usage (conflict) as plan() does
CudaCode cudaCode(const experiment::Experiment& experiment);
/// The text of the file: lines with line ends.
std::string codeText(const CudaCode& code);

// The difference between two programs: the shortest list of lines kept, removed and added. Pure.

enum class CodeChange : std::uint8_t { Kept, Removed, Added };

struct DiffLine {
    CodeChange change{};
    CodeLine line; ///< from the program that has it; from the second if both do
};
std::vector<DiffLine> codeDiff(const CudaCode& before, const CudaCode& after);

} // namespace olab::code
