#include <olab/code/cuda_code.h>

#include "program.h"

#include <olab/experiment/plan.h>

#include <algorithm>

namespace olab::code {
namespace {

std::vector<std::string> missingIn(const experiment::Experiment& e) {
    std::vector<std::string> out;
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (!row.notInCode.empty() && row.get(e) != experiment::optionDefault(row))
            out.push_back(std::string(row.key) + "=" + row.get(e) +
                          " is not in this program: " + std::string(row.notInCode) + ".");
    return out;
}

} // namespace

bool executes(const CodeLine& line, experiment::OpKind kind) {
    return (line.ops & code::bitOf(kind)) != 0;
}

bool isMadeBy(const CodeLine& line, std::string_view key) {
    return std::ranges::find(line.options, key) != line.options.end();
}

CudaCode cudaCode(const experiment::Experiment& experiment) {
    if (const auto reasons = experiment::conflicts(experiment); !reasons.empty())
        throw Error(ErrorKind::Usage, "conflict", reasons.front(), "Change one of the options named.");
    if (experiment.work)
        throw Error(ErrorKind::Usage, "no-program",
                    "This runs the work of a recording, which is not written as a program.",
                    "Run it here; the options that describe a pipeline can be exported.");
    CudaCode made;
    made.missing = missingIn(experiment);
    const code::Program program(experiment);
    code::CodeWriter out;
    code::writeHead(out, program, made.missing);
    code::writeTools(out, program);
    code::writeState(out, program);
    code::writeGate(out, program);
    code::writeKernels(out, program);
    code::writeSetUp(out, program);
    code::writeCalibration(out, program);
    code::writeIssue(out, program);
    code::writeWindow(out, program);
    code::writeMain(out, program);
    made.lines = out.take();
    return made;
}

std::string codeText(const CudaCode& code) {
    std::string text;
    for (const CodeLine& line : code.lines)
        text += line.text + "\n";
    return text;
}

} // namespace olab::code
