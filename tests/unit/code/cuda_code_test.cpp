// The text of exported programs: every option shows in it, every op has its lines, and three are as they were
// looked at.
#include "experiments.h"
#include "test_places.h"

#include <olab/code/cuda_code.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace olab::code {
namespace {

using testing::HasSubstr;
using testing::Not;

experiment::HeldExperiment with(std::initializer_list<const char*> options) {
    experiment::HeldExperiment e;
    for (const char* option : options)
        experiment::setOption(e, option);
    return e;
}

std::string textOf(std::initializer_list<const char*> options) {
    return codeText(cudaCode(with(options)));
}

/// Without its head, which names all options.
CudaCode bodyOf(const experiment::Experiment& e) {
    CudaCode code = cudaCode(e);
    std::erase_if(code.lines,
                  [](const CodeLine& line) { return line.text.starts_with("//") && line.options.empty(); });
    return code;
}

bool isNotInCode(std::string_view key) {
    return !experiment::findOption(key)->notInCode.empty();
}

TEST(CudaCode, EveryValueOfEveryOptionChangesTheProgramOrIsSaidToBeMissing) {
    for (const test::OptionPair& pair : test::optionPairs()) {
        SCOPED_TRACE(pair.key + "=" + pair.value + " against " + pair.other);
        if (isNotInCode(pair.key)) {
            EXPECT_EQ(codeText(bodyOf(pair.with)), codeText(bodyOf(pair.without)));
            continue;
        }
        EXPECT_NE(pair.with, pair.without) << "no experiment in which it does something";
        EXPECT_NE(codeText(bodyOf(pair.with)), codeText(bodyOf(pair.without)));
    }
}

TEST(CudaCode, ALineThatAnOptionChangesSaysWhichOption) {
    for (const test::OptionPair& pair : test::optionPairs()) {
        if (isNotInCode(pair.key))
            continue;
        const auto changes = codeDiff(bodyOf(pair.without), bodyOf(pair.with));
        const bool named = std::ranges::any_of(changes, [&](const DiffLine& line) {
            return line.change != CodeChange::Kept && isMadeBy(line.line, pair.key);
        });
        EXPECT_TRUE(named) << pair.key << "=" << pair.value << " against " << pair.other;
    }
}

TEST(CudaCode, WhatCannotBeInAProgramIsSaidWhereItIsSet) {
    EXPECT_TRUE(cudaCode(experiment::HeldExperiment{}).missing.empty());
    const CudaCode code = cudaCode(with({"sim.submission=wddm", "trace=on"}));
    ASSERT_EQ(code.missing.size(), 2u);
    EXPECT_THAT(code.missing[0], HasSubstr("trace=on"));
    EXPECT_THAT(code.missing[1], HasSubstr("sim.submission=wddm"));
    EXPECT_THAT(codeText(code), HasSubstr("// trace=on is not in this program"));
}

TEST(CudaCode, AConflictIsRefusedAsByThePlan) {
    EXPECT_THROW(cudaCode(with({"p2p=on"})), Error);
}

/// Of a file's text: a recording of anybody's may name any model.
TEST(CudaCode, NoNameOfAFileEndsTheComment) {
    experiment::HeldExperiment e;
    e->simDevice = "file:/tmp/x\nint evil;\\\n*/ \"\xE2\x80\xAE"; // no option can be set to it
    for (const CodeLine& line : cudaCode(e).lines)
        if (line.text.find("evil") != std::string::npos) {
            EXPECT_TRUE(line.text.starts_with("//")) << line.text;
            EXPECT_FALSE(line.text.ends_with('\\'));
        }
    EXPECT_THAT(codeText(cudaCode(e)), Not(HasSubstr("\\\n*/")));
}

TEST(CudaCode, EveryOpOfAPlanHasItsLinesAndNoLineAnOpThatIsNotPlanned) {
    std::vector<experiment::HeldExperiment> all;
    for (const experiment::Preset& preset : experiment::presets())
        all.push_back(preset.experiment);
    for (const test::OptionPair& pair : test::optionPairs())
        all.push_back(pair.with);
    for (const experiment::Experiment& e : all) {
        std::uint32_t planned = 0, written = 0;
        for (const experiment::Op& op : experiment::plan(e, 2).ops)
            planned |= std::uint32_t{1} << static_cast<unsigned>(op.kind);
        for (const CodeLine& line : cudaCode(e).lines)
            written |= line.ops;
        // A callback without work is launched, and watched by nobody's line where it is an event's.
        EXPECT_EQ(planned, written) << testing::PrintToString(experiment::differsFromDefault(e));
    }
}

TEST(CudaCode, OnlyWhatIsInForceIsInIt) {
    const std::string plain = textOf({"gate=off"});
    for (const char* absent : {"cudaEventRecord(p.", "std::thread", "std::mutex", "setenv", "cudaSetDevice",
                               "cudaGraph", "cudaStreamLegacy", "CUdeviceptr", "cudaHostRegister"})
        EXPECT_THAT(plain, Not(HasSubstr(absent)));
    EXPECT_THAT(textOf({"kernel=off", "callback=off"}), Not(HasSubstr("__global__ void work")));
    EXPECT_THAT(textOf({"kernel=off", "callback=off"}), Not(HasSubstr("done")));
    EXPECT_THAT(textOf({"gate=off"}), Not(HasSubstr("gateFlag")));
}

/// On two H200 the memory of one, cleared while the other was set, was an invalid argument.
TEST(CudaCode, WhatIsOfADeviceIsClearedWhileItIsSet) {
    const std::string text = textOf({"devices=all"}), main = text.substr(text.find("int main()"));
    for (const auto& [clear, set] : {std::pair{"cudaMemset(errors[device]", "cudaSetDevice(device)"},
                                     {"cudaMemset(p.output", "cudaSetDevice(p.device)"}}) {
        const std::size_t at = main.find(clear), loop = main.rfind("for (", at);
        ASSERT_NE(at, main.npos);
        EXPECT_LT(main.find(set, loop), at) << clear;
    }
}

TEST(CudaCode, TheOrderOfIssueIsTheOrderOfLoops) {
    const std::string depth = textOf({"memset=off", "callback=off"}),
                      breadth = textOf({"memset=off", "callback=off", "order=breadth"});
    const auto loopsIn = [](const std::string& text) {
        const std::size_t begin = text.find("static void issue("), end = text.find("\n}\n", begin);
        int loops = 0;
        for (std::size_t at = text.find("for (Pipeline", begin); at < end;
             at = text.find("for (Pipeline", at + 1))
            ++loops;
        return loops;
    };
    EXPECT_EQ(loopsIn(depth), 1);
    EXPECT_EQ(loopsIn(breadth), 3);
}

/// A pageable copy would wait for what the gate holds, and the gate for the copy.
/// CUDA_LAUNCH_BLOCKING=1 of the environment, or a number of iterations changed by hand, would else hang a
/// program for ever.
TEST(CudaCode, TheGateOpensWhereACallWaitsForItWhicheverThatIs) {
    for (const char* option : {"iterations=1", "h2d.memory=pageable", "interfere=free", "iterations=500"}) {
        const std::string text = textOf({option});
        const std::size_t watched = text.find("std::thread watchdog(watchGate)");
        ASSERT_NE(watched, text.npos) << option;
        EXPECT_LT(watched, text.find("gate<<<")) << option << ": the launch of the gate may be what waits";
        EXPECT_LT(text.find("const auto end = Clock::now()"), text.find("watchdog.join()"))
            << option << ": its sleep is no part of what is measured";
    }
    EXPECT_THAT(textOf({"env.launch_blocking=on"}), Not(HasSubstr("gateFlag")));
    EXPECT_THAT(textOf({"env.launch_blocking=on"}), HasSubstr("No start gate"));
}

/// What a program takes it gives back, and it asks whether it got it.
TEST(CudaCode, WhatIsTakenIsGivenBack) {
    const auto times = [](const std::string& text, const std::string& word) {
        int found = 0;
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
            ++found;
        return found;
    };
    for (const test::OptionPair& pair : test::optionPairs()) {
        const std::string text = codeText(cudaCode(pair.with));
        const std::string named = pair.key + "=" + pair.value;
        const int pinned = times(text, "cudaHostRegister("),
                  inHost = times(text, "there(malloc(") + times(text, "there(aligned_alloc(");
        EXPECT_EQ(pinned, times(text, "cudaHostUnregister(")) << named;
        EXPECT_EQ(inHost, times(text, "    free(")) << named;
        EXPECT_EQ(times(text, " malloc(") + times(text, "(malloc(") + times(text, "aligned_alloc("), inHost)
            << named << ": not asked whether there was any";
        EXPECT_EQ(times(text, "cudaHostAlloc("),
                  times(text, "cudaFreeHost((") + times(text, "cudaFreeHost(p."))
            << named;
        EXPECT_EQ(times(text, "cudaEventCreate"), times(text, "cudaEventDestroy(")) << named;
        EXPECT_LE(times(text, "cudaMalloc((") + times(text, "cudaMallocManaged("),
                  times(text, "cudaFree(") - times(text, "cudaFree(nullptr)"))
            << named;
    }
}

/// What is used of the standard library is included by name: nothing rests on what another header brings.
TEST(CudaCode, IncludesWhatItUses) {
    const std::vector<std::pair<const char*, const char*>> uses{
        {"std::thread", "<thread>"}, {"std::atomic", "<atomic>"},
        {"std::mutex", "<mutex>"},   {"std::vector", "<vector>"},
        {"std::deque", "<deque>"},   {"std::min", "<algorithm>"},
        {"std::max", "<algorithm>"}, {"memset(p.", "<cstring>"},
        {"printf", "<cstdio>"},      {"PFN_", "<cudaTypedefs.h>"},
        {"std::chrono", "<chrono>"}, {"std::integer_sequence", "<utility>"},
        {"exit(", "<cstdlib>"},      {"std::condition_variable", "<condition_variable>"}};
    for (const test::OptionPair& pair : test::optionPairs()) {
        const std::string text = codeText(cudaCode(pair.with));
        for (const auto& [word, header] : uses) {
            if (text.find(word) == std::string::npos)
                continue;
            EXPECT_THAT(text, HasSubstr(std::string("#include ") + header))
                << pair.key << "=" << pair.value << " uses " << word;
        }
    }
}

TEST(CudaCode, SizesAreWrittenAsPeopleDoAndFitTheirType) {
    EXPECT_THAT(textOf({"h2d.bytes=64KiB"}), HasSubstr("h2dBytes = 64 << 10;"));
    EXPECT_THAT(textOf({"h2d.bytes=5000B"}), HasSubstr("h2dBytes = 5000;"));
    EXPECT_THAT(textOf({"h2d.bytes=3GiB"}), HasSubstr("h2dBytes = size_t(3) << 30;"));
    EXPECT_THAT(textOf({"h2d.bytes=2049MiB"}), HasSubstr("h2dBytes = size_t(2049) << 20;"));
}

class GoldenCode : public testing::TestWithParam<const char*> {};

TEST_P(GoldenCode, IsAsItWasLookedAtAndAccepted) {
    const std::string file = std::string(OLAB_SOURCE_DIR "/tests/unit/code/golden/") + GetParam() + ".cu.txt";
    const std::string text = codeText(cudaCode(experiment::findPreset(GetParam())->experiment));
    if (std::getenv("OLAB_UPDATE_GOLDEN"))
        std::ofstream(file, std::ios::binary) << text;
    std::ostringstream kept;
    kept << std::ifstream(file, std::ios::binary).rdbuf();
    EXPECT_EQ(text, kept.str()) << "OLAB_UPDATE_GOLDEN=1 writes it anew";
}
INSTANTIATE_TEST_SUITE_P(Presets, GoldenCode, testing::Values("default", "ping-pong", "null-stream"),
                         [](const auto& preset) {
                             std::string name = preset.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(CodeDiff, KeepsWhatIsInBothAndNamesTheRest) {
    const CudaCode before = cudaCode(experiment::HeldExperiment{}), after = cudaCode(with({"kernel.us=7"}));
    std::vector<std::string> removed, added;
    std::size_t kept = 0;
    for (const DiffLine& line : codeDiff(before, after)) {
        kept += line.change == CodeChange::Kept;
        if (line.change == CodeChange::Removed)
            removed.push_back(line.line.text);
        if (line.change == CodeChange::Added)
            added.push_back(line.line.text);
    }
    EXPECT_EQ(kept + added.size(), after.lines.size());
    EXPECT_EQ(kept + removed.size(), before.lines.size());
    EXPECT_THAT(removed, testing::Contains("constexpr double kernelUs = 400; // of the whole grid alone"));
    EXPECT_THAT(added, testing::Contains("constexpr double kernelUs = 7; // of the whole grid alone"));
    EXPECT_EQ(added.size(), 2u) << "the size, and the head that names it";
}

TEST(CodeDiff, OfOneProgramWithItselfIsAllKept) {
    const CudaCode code = cudaCode(experiment::HeldExperiment{});
    for (const DiffLine& line : codeDiff(code, code))
        EXPECT_EQ(line.change, CodeChange::Kept);
}

} // namespace
} // namespace olab::code
