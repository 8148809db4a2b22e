// Exit codes that a script must be able to tell apart: 1 is an assertion that failed, so a fault of the
// program and no memory left are 70. And words that do not depend on the locale.
#include "../../german_locale.h"
#include "cli_fixture.h"

namespace olab::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true; // its own memory is more than any limit
#else
constexpr bool kSanitized = false;
#endif

constexpr const char* kLimit = "ulimit -v 220000 && "; // KiB: enough to start, not for a large recording

TEST_F(Cli, NoMemoryLeftIsNoFailedAssertion) {
    if (kSanitized)
        GTEST_SKIP();
    const std::string run =
        std::string(kLimit) + "'" + OLAB_PROGRAM + "' run --backend sim --set streams=64 --set iterations=";
    const Result small = shell(run + "1 --assert '/counts/kept>=1'");
    ASSERT_EQ(small.code, 0) << small.err;
    const Result large = shell(run + "6000 --assert '/counts/kept>=1'");
    EXPECT_EQ(large.code, 70) << large.err;
    EXPECT_THAT(large.err, HasSubstr("not enough memory"));
    EXPECT_THAT(large.err, HasSubstr("Make the experiment smaller"));
}

#ifdef OLAB_HAVE_UI
TEST_F(Cli, NoMemoryLeftForAPictureIsNoSignal) {
    if (kSanitized)
        GTEST_SKIP();
    ASSERT_EQ(olab("run --backend sim --set iterations=1 -o small.olab").code, 0);
    ASSERT_EQ(olab("run --backend sim --set streams=32 --set iterations=8000 -o large.olab").code, 0);
    const std::string render = std::string(kLimit) + "'" + OLAB_PROGRAM + "' render ";
    if (const Result small = shell(render + "small.olab small.svg"); small.code != 0)
        GTEST_SKIP() << "Qt takes more than the limit here: " << small.err;
    const Result large = shell(render + "large.olab large.svg");
    EXPECT_EQ(large.code, 70) << large.err;
    EXPECT_THAT(large.err, HasSubstr("overlap-lab: There is not enough memory for this."));
    EXPECT_FALSE(fs::exists(m_folder / "large.svg"));
}

TEST_F(Cli, APictureIsTheSameInEveryLocale) {
    const GermanLocale german;
    if (!german.known())
        GTEST_SKIP() << "there is no German locale here, and no localedef to make one";
    ASSERT_EQ(olab("run --backend sim --set iterations=2 -o run.olab").code, 0);
    const std::string render = std::string("'") + OLAB_PROGRAM + "' render run.olab ";
    for (const char* ending : {"svg", "html", "png"}) {
        const std::string name = std::string("run.") + ending;
        ASSERT_EQ(shell("LC_ALL=C.UTF-8 " + render + "c-" + name).code, 0);
        ASSERT_EQ(shell(german.environment() + render + "de-" + name).code, 0);
        EXPECT_EQ(shell("cmp c-" + name + " de-" + name).code, 0) << name << " is another in de_DE";
    }
}
#endif

TEST_F(Cli, AFolderThatCannotBeMadeIsWrongUsage) {
    std::ofstream(m_folder / "file") << "x";
    const Result r = olab("claims 001 --backend sim -o file/x");
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("Choose another one with --output"));
}

TEST_F(Cli, HelpAndManualSayTheSameExitCodes) {
    EXPECT_THAT(olab("--help").out, HasSubstr("70 a fault of the program or no memory left"));
    for (const char* page : {"doc/cli.md", "man/overlap-lab.1"}) { // olab.1 is made of the same table
        std::ifstream file(std::string(OLAB_SOURCE_DIR "/resources/") + page);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        EXPECT_THAT(text, HasSubstr("a fault of the program or no memory left")) << page;
    }
}

} // namespace
} // namespace olab::test
