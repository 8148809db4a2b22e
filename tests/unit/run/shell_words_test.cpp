// Words that a shell reads back as they were, and the hosts of a user's ssh configuration.
#include <olab/run/elsewhere.h>
#include <olab/run/shell.h>
#include <olab/trace/temporary_folder.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

namespace olab::run {
namespace {

std::string saidByShell(const std::string& command) {
    std::string text;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (!pipe)
        return "no shell";
    std::array<char, 4096> buffer;
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), n);
    ::pclose(pipe);
    return text;
}

TEST(ShellWords, AreReadBackWhateverIsInThem) {
    const std::vector<std::string> words{
        "plain",       "",  "two words", "it's", "\"quoted\"", "$HOME `id` \\ ;&|", "a\nb",        "-n",
        "* ? [a] {b}", "~", "#x",        "!!",   "\t end ",    "it'\\''s",          "caf\xc3\xa9", "'; exit"};
    std::string expected;
    for (const std::string& word : words)
        expected += "<" + word + ">";
    EXPECT_EQ(saidByShell("printf '<%s>' " + shellQuoted(words)), expected);
}

TEST(ShellWords, OneMoreShellBetweenChangesNothing) {
    const std::vector<std::string> words{"it's", "a \"b\" $c"};
    const std::string script = "printf '<%s>' " + shellQuoted(words);
    EXPECT_EQ(saidByShell("sh -c " + shellQuoted(script)), "<it's><a \"b\" $c>");
}

TEST(ShellWords, PlainOnesStayReadable) {
    EXPECT_EQ(shellQuoted("user@gpu-1.example:/data/a_b.olab"), "user@gpu-1.example:/data/a_b.olab");
}

TEST(KnownHosts, AreNamesWithoutPatternsInTheirOrder) {
    const TemporaryFolder home;
    std::filesystem::create_directory(home.path() / ".ssh");
    std::ofstream(home.path() / ".ssh/config")
        << "# Host comment\nHost gpu1 gpu2\n  HostName 10.0.0.1\nhost=\"odd one\"\n"
           "Host *.example !gpu3 gpu? gpu1\nHOST\tlast\nMatch host x\n";
    EXPECT_EQ(knownHosts(home.path()), (std::vector<std::string>{"gpu1", "gpu2", "odd one", "last"}));
    EXPECT_TRUE(knownHosts(home.path() / "nowhere").empty());
}

} // namespace
} // namespace olab::run
