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

namespace {

/// The length of the longest common subsequence of both remainders, by their start positions. Programs have a
/// few hundred lines.
class CommonLengths {
public:
    CommonLengths(const std::vector<CodeLine>& a, const std::vector<CodeLine>& b)
        : m_width(b.size() + 1)
        , m_lengths((a.size() + 1) * m_width) {
        for (std::size_t i = a.size(); i-- > 0;)
            for (std::size_t k = b.size(); k-- > 0;)
                m_lengths[i * m_width + k] =
                    a[i].text == b[k].text ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
    }
    std::uint32_t at(std::size_t i, std::size_t k) const { return m_lengths[i * m_width + k]; }

private:
    std::size_t m_width;
    std::vector<std::uint32_t> m_lengths;
};

} // namespace

std::vector<DiffLine> codeDiff(const CudaCode& before, const CudaCode& after) {
    const std::vector<CodeLine>&a = before.lines, &b = after.lines;
    const CommonLengths common(a, b);
    std::vector<DiffLine> out;
    std::size_t i = 0, k = 0;
    while (i < a.size() || k < b.size()) {
        if (i < a.size() && k < b.size() && a[i].text == b[k].text) {
            out.push_back({CodeChange::Kept, b[k]});
            ++i, ++k;
        } else if (i < a.size() && (k == b.size() || common.at(i + 1, k) >= common.at(i, k + 1))) {
            out.push_back({CodeChange::Removed, a[i++]});
        } else {
            out.push_back({CodeChange::Added, b[k++]});
        }
    }
    return out;
}

} // namespace olab::code
