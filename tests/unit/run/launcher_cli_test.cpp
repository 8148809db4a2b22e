// olab run --launcher CMD: the words that take the place of {} are words, whatever files are called.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class LauncherCli : public Cli {
protected:
    static std::string quoted(const std::string& word) {
        std::string text = "'";
        for (const char c : word)
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return text + "'";
    }
    Result launched(const std::string& launcher) const {
        return olab("run --launcher " + quoted(launcher) +
                    " --backend sim --set iterations=2 default -o 'x$(touch ran)`touch ran`.olab'");
    }
    bool ran() const { return fs::exists(m_folder / "ran"); }
};

TEST_F(LauncherCli, BracesWithinQuotesAreRefused) {
    for (const char* launcher :
         {R"(sh -c "{}")", R"(sh -c '{}')", R"(sh -c "exec {} ")", R"(env A='it''s "{}')",
          R"(sh -c "a\" {}")", "sh <<E\n{}\nE", "sh -c 'true' # it's {}", "env \\{}",
          R"x(sh -c "$(echo "{}")")x", R"(sh -c $'a\'{}')", R"(sh -c ")", "true #"}) {
        const Result r = launched(launcher);
        EXPECT_EQ(r.code, 2) << launcher << r.err;
        EXPECT_THAT(r.err, HasSubstr(R"(sh -c '... "$@"' sh {})")) << launcher;
        EXPECT_FALSE(ran()) << launcher;
    }
    const Result r = olab("sweep --vary streams=1,2 --backend sim -o s --launcher 'sh -c \"{}\"'");
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_THAT(r.err, HasSubstr("within quotes"));
}

TEST_F(LauncherCli, BracesOutsideAreWords) {
    for (const char* launcher : {"env {}", "env", R"("env" A='b c' {})", R"(sh -c 'exec "$@"' sh {})",
                                 R"(env A=\'\" {})", "true; # a comment, it's one\nenv {}", "env A=b#c {}"}) {
        const Result r = launched(launcher);
        EXPECT_EQ(r.code, 0) << launcher << r.err;
        EXPECT_FALSE(ran()) << launcher;
        EXPECT_TRUE(fs::remove(m_folder / "x$(touch ran)`touch ran`.olab")) << launcher;
    }
}

} // namespace
} // namespace olab::test
