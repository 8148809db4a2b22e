// olab trace --on HOST, with an ssh that runs here what it is told: what the other side may write here.
#include "trace_fixture.h"

namespace olab::test {
namespace {

using testing::AllOf;
using testing::Not;

class TraceElsewhere : public TraceCli {
protected:
    /// The words of `olab trace --on there OPTIONS -- WORDS`. The other side is the folder "there".
    Result traceThere(const std::string& options, const std::string& words) const {
        put("bin/ssh", "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nexport HOME='" +
                           m_folder.string() + "/there'\ncd \"$HOME\" && exec sh -c \"$3\"\n");
        fs::create_directories(m_folder / "there/.local/share/overlap-lab");
        std::error_code known;
        fs::create_symlink(OLAB_PROGRAM, m_folder / "there/.local/share/overlap-lab/olab", known);
        return shell("PATH=\"$PWD/bin:$PATH\" OLAB_CUPTI='" STREAM_CUPTI "' timeout 100 '" OLAB_PROGRAM
                     "' trace --no-analysis --on there " +
                     options + " -- " + words);
    }
    void put(const std::string& name, const std::string& text) const {
        fs::create_directories((m_folder / name).parent_path());
        std::ofstream(m_folder / name) << text;
        fs::permissions(m_folder / name, fs::perms::owner_all);
    }
    std::string get(const std::string& name) const {
        std::ifstream in(m_folder / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(TraceElsewhere, TheFileThatWasNamedIsReplacedAndThoseOfProcessesComeBesideIt) {
    put("run.olab", "old");
    const Result r = traceThere("-o run.olab --children", program("cuda calls:10 forkexec:cuda,calls:33"));
    EXPECT_EQ(r.code, 0) << r.err;
    ASSERT_EQ(files().size(), 2u) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 10u);
    EXPECT_EQ(count(read(files().front()), true), 33u);
    EXPECT_THAT(r.err, HasSubstr(files().front()));
}

/// Whatever is said or left there under another name stays there.
TEST_F(TraceElsewhere, NoOtherFileOfThisMachineIsWritten) {
    put("liar",
        "#!/bin/sh\nf=$(dirname \"$OLAB_TRACE_FILE\")\nfor n in run.olab running.olab run.x.olab run.5.olab "
        "run.olab.olab; do echo \"of there\" >\"$f/$n\"; echo \"recording 5 $f/$n\" "
        ">>\"$OLAB_TRACE_STATUS\"; "
        "done\necho untold >\"$f/run.6.olab\"\n");
    for (const char* mine : {"running.olab", "run.x.olab", "run.5.olab", "run.6.olab", "run.olab.olab"})
        put(mine, "mine");
    const Result r = traceThere("-o run.olab", "'" + (m_folder / "liar").string() + "'");
    for (const char* mine : {"running.olab", "run.x.olab", "run.5.olab", "run.6.olab", "run.olab.olab"})
        EXPECT_EQ(get(mine), "mine") << mine << r.err;
    EXPECT_EQ(get("run.olab"), "of there\n") << r.err;
    EXPECT_EQ(get("run.5-2.olab"), "of there\n") << "beside the one that was there";
    EXPECT_THAT(r.err, AllOf(HasSubstr("run.5-2.olab"), Not(HasSubstr("running"))));
    EXPECT_EQ(files().size(), 7u);
}

} // namespace
} // namespace olab::test
