// What the tests of the command line share: the real program, started by a shell in a folder of its own.
#pragma once

#include "test_places.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace olab::test {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

struct Result {
    int code = -1;
    std::string out, err;
};

/// Shell: until process $p takes SIGTERM and its like itself.
inline constexpr const char* kUntilItHears =
    "until grep -q '^SigBlk:.*4003$' /proc/$p/status; do sleep 0.02; done; ";

class Cli : public testing::Test {
protected:
    Cli() {
        std::string name = (fs::temp_directory_path() / "olab-cli-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
    }
    ~Cli() override { fs::remove_all(m_folder); }

    Result olab(const std::string& arguments) const {
        return shell(std::string("'") + OLAB_PROGRAM + "' " + arguments);
    }
    Result shell(const std::string& command) const {
        const fs::path err = m_folder / "stderr";
        Result r;
        std::FILE* pipe = ::popen(
            ("cd '" + m_folder.string() + "' && { " + command + "; } 2>'" + err.string() + "'").c_str(), "r");
        std::array<char, 4096> buffer;
        for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
            r.out.append(buffer.data(), n);
        const int status = ::pclose(pipe);
        r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        std::ifstream in(err);
        r.err.assign(std::istreambuf_iterator<char>(in), {});
        return r;
    }
    void expectUsageError(const std::string& arguments, const std::string& why) const {
        const Result r = olab(arguments);
        EXPECT_EQ(r.code, 2) << arguments << ": " << r.err;
        EXPECT_EQ(r.out, "") << arguments;
        EXPECT_THAT(r.err, HasSubstr(why)) << arguments;
    }
    fs::path m_folder;
};

} // namespace olab::test
