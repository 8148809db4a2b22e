// nvcc takes the exported programs without a word: those of all presets that a GPU can run, those of every
// value of every option, options together, and a few as a person compiles them. The many are compiled as one
// source, each in a namespace of its own, which reads the headers once, and once what several have in common.
#include "experiments.h"

#include <olab/code/cuda_code.h>
#include <olab/experiment/presets.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace olab::code {
namespace {

namespace fs = std::filesystem;

class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "olab-code-XXXXXX").string();
        m_path = ::mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(m_path); }
    fs::path file(const std::string& name) const { return m_path / name; }

private:
    fs::path m_path;
};

/// What the compiler says; "" is what is wanted. A failure without a word says its status.
std::string said(const std::string& arguments) {
    const std::string command = std::string("\"" OLAB_NVCC "\" ") + arguments + " 2>&1";
    std::string text;
    FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> block{};
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe))
        text.append(block.data(), got);
    const int status = ::pclose(pipe);
    if (status != 0 && text.empty())
        text = "status " + std::to_string(status);
    return text;
}

/// Several programs as one source.
class Together {
public:
    void add(const std::string& what, const CudaCode& code) {
        std::ostringstream body;
        for (const CodeLine& line : code.lines)
            if (line.text.starts_with("#include"))
                m_includes.insert(line.text);
            else
                body << line.text << "\n";
        if (!m_shapes.insert(withoutNumbers(body.str())).second)
            return; // another experiment has the same program, but for numbers
        m_text << "namespace program" << m_shapes.size() << " { // " << what << "\n"
               << body.str() << "#undef CHECK\n#undef DRIVER\n}\n";
    }
    /// To PTX: all programs together may need more constant memory than there is.
    std::string compiled() const {
        const Folder folder;
        std::ofstream file(folder.file("all.cu"));
        for (const std::string& line : m_includes)
            file << line << "\n";
        file << m_text.str();
        file.close();
        return said("-c -O0 -gencode arch=compute_90,code=compute_90 -Xcompiler -Wall,-O0 " +
                    folder.file("all.cu").string() + " -o " + folder.file("all.o").string());
    }
    std::size_t size() const { return m_shapes.size(); }

private:
    static std::string withoutNumbers(std::string text) {
        std::ranges::replace_if(
            text, [](unsigned char c) { return std::isdigit(c) != 0; }, '0');
        return text;
    }
    std::set<std::string> m_includes, m_shapes;
    std::ostringstream m_text;
};

void addPresets(Together& all) {
    for (const experiment::Preset& preset : experiment::presets())
        if (experiment::simulatorOnly(preset.experiment).empty())
            all.add(preset.id, cudaCode(preset.experiment));
}

void addOptions(Together& all) {
    for (const test::OptionPair& pair : test::optionPairs())
        all.add(pair.key + "=" + pair.value, cudaCode(pair.with));
}

/// Options that meet in the same lines.
const std::vector<std::vector<std::string>> kTogether{
    {"api=driver", "memset.method=kernel", "null_op=kernel", "kernel.kind=memory", "sync=poll",
     "stream.kind=blocking"},
    {"api=driver", "memset.method=copy", "null_op=event", "deps=event-chain",
     "callback.method=streamcallback"},
    {"api=driver", "devices=all", "p2p=on", "interfere=first-launch", "callback.method=poll"},
    {"api=driver", "issue=on-callback", "issue.threads=per-stream", "interfere=memset-sync",
     "callback.us=10"},
    {"devices=all", "order=breadth", "null_op=memset", "interfere=d2d", "memset.method=copy",
     "kernel.kind=memory"},
    {"devices=all", "issue=on-callback", "issue.threads=per-stream", "interfere=freehost", "null_op=event"},
    {"devices=all", "order=breadth", "sync=event", "sync.every=iteration", "kernel.stream=other",
     "deps=copy-to-kernel"},
    {"devices=all", "h2d.target=constant", "h2d.bytes=4KiB", "buffers=shared", "stream.kind=legacy",
     "stream.priority=descending"},
    {"issue.threads=per-stream", "stream.kind=per-thread", "callback.method=blocking-event",
     "sync.every=iteration"},
    {"buffers=shared", "h2d.first_bytes=1MiB", "order=breadth", "sync.every=op", "sync=stream", "repeat=3"},
    {"submit=graph", "order=breadth", "memset.method=kernel", "kernel.smem=64KiB", "kernel.blocks=fill:2"},
    {"h2d.memory=managed", "d2h.memory=managed", "memset=off", "callback=off", "warmup=0"},
    {"h2d=off", "memset=off", "d2h=off"},
    {"h2d=off", "kernel=off", "d2h=off", "callback=off"},
    {"kernel=off", "memset.method=kernel", "iterations=1"},
    {"streams=1", "iterations=1", "submit=graph", "null_op=off"},
    {"streams=2", "stream.roles=on", "api=driver", "sync=event", "stream.kind=legacy",
     "interfere=mallocasync"},
    {"streams=1", "stream.roles=on", "submit=graph", "stream.priority=descending", "order=breadth"},
    {"streams=3", "stream.roles=on", "d2h=off", "sync=stream", "sync.every=op", "memset.method=kernel"},
    {"streams=3", "stream.roles=no-free-event", "h2d=off", "sync=poll", "callback.method=poll"},
};

void addTogether(Together& all) {
    for (const auto& row : kTogether) {
        experiment::HeldExperiment e;
        std::string what;
        for (const std::string& assignment : row) {
            experiment::setOption(e, assignment);
            what += assignment + " ";
        }
        ASSERT_TRUE(experiment::conflicts(e).empty()) << what << experiment::conflicts(e).front();
        all.add(what, cudaCode(e));
    }
}

/// What nvcc says to all of them.
const std::string& saidOfAll() {
    static const std::string text = [] {
        Together all;
        for (const auto add : {addPresets, addOptions, addTogether})
            add(all);
        return all.compiled();
    }();
    return text;
}

TEST(CompiledCode, OfEveryPresetThatAGpuCanRun) {
    Together all;
    addPresets(all);
    EXPECT_GT(all.size(), 30u);
    EXPECT_EQ(saidOfAll(), "");
}

TEST(CompiledCode, OfEveryValueOfEveryOption) {
    Together all;
    addOptions(all);
    EXPECT_GT(all.size(), 60u);
    EXPECT_EQ(saidOfAll(), "");
}

TEST(CompiledCode, OfOptionsTogether) {
    Together all;
    addTogether(all);
    EXPECT_EQ(all.size(), kTogether.size());
    EXPECT_EQ(saidOfAll(), "");
}

class PlainNvcc : public testing::TestWithParam<const char*> {};

TEST_P(PlainNvcc, MakesAProgramWithoutAnyFlag) {
    const Folder folder;
    std::ofstream(folder.file("it.cu")) << codeText(cudaCode(experiment::findPreset(GetParam())->experiment));
    EXPECT_EQ(said(folder.file("it.cu").string() + " -o " + folder.file("it").string()), "");
    EXPECT_TRUE(fs::exists(folder.file("it")));
}
INSTANTIATE_TEST_SUITE_P(Presets, PlainNvcc, testing::Values("default", "ping-pong", "thread-per-stream"));

} // namespace
} // namespace olab::code
