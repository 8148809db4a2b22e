// olab render, with the real window program behind it, and without one.
#include "cli_fixture.h"
#include "test_places.h"

using namespace olab::test;

namespace {

class Render : public Cli {
protected:
    Render() { run(); }
    void run() const {
        const Result r = olab("run --backend sim --set streams=2 --set iterations=2 -o run.olab");
        ASSERT_EQ(r.code, 0) << r.err;
    }
    std::string made(const std::string& name) const {
        std::ifstream in(m_folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(Render, WithoutTheWindowProgramItSaysWhatToInstall) {
    fs::copy_file(OLAB_PROGRAM, m_folder / "alone");
    const Result r = shell("PATH=/nowhere ./alone render run.olab run.svg");
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_THAT(r.err, HasSubstr("overlap-lab, which was not found"));
    EXPECT_THAT(r.err, HasSubstr("OLAB_UI=ON"));
    EXPECT_FALSE(fs::exists(m_folder / "run.svg"));
}

TEST_F(Render, WrongTimesAreRefused) {
    expectUsageError("render run.olab run.svg --from 2parsecs", "is not a time");
    expectUsageError("render run.olab run.svg --from 2ms --to 1ms", "--from must lie before --to");
    expectUsageError("render run.olab", "Something is missing");
}

#ifdef OLAB_HAVE_UI

TEST_F(Render, MakesEachKindOfPicture) {
    const std::pair<const char*, const char*> starts[] = {
        {"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF-"}, {"html", "<!DOCTYPE html>"}};
    for (const auto& [ending, start] : starts) {
        const std::string name = std::string("out.") + ending;
        const Result r = olab("render run.olab " + name);
        EXPECT_EQ(r.code, 0) << ending << ": " << r.err;
        EXPECT_EQ(r.out + r.err, "") << ending;
        EXPECT_THAT(made(name), testing::StartsWith(start)) << ending;
    }
    EXPECT_THAT(made("out.svg"), HasSubstr("SIMULATED"));
    EXPECT_THAT(made("out.html"), HasSubstr("SIMULATED"));
}

TEST_F(Render, ComparesTwoOnOnePictureInEachFormat) {
    ASSERT_EQ(olab("run --backend sim --set streams=1 --set iterations=2 -o one.olab").code, 0);
    for (const auto& [ending, start] :
         {std::pair{"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF-"}, {"html", "<!DOCTYPE html>"}}) {
        const std::string name = std::string("both.") + ending;
        const Result r = olab("compare one.olab run.olab -o " + name);
        EXPECT_EQ(r.code, 0) << ending << ": " << r.err;
        EXPECT_THAT(made(name), testing::StartsWith(start)) << ending;
        EXPECT_THAT(r.out, HasSubstr("streams: 1 -> 2")) << "the words are printed all the same";
    }
    const std::string svg = made("both.svg");
    for (const char* words :
         {"Before: one.olab", "After: run.olab", "run.olab took ", "streams: 1 \xe2\x86\x92 2"})
        EXPECT_THAT(svg, HasSubstr(words));
    std::size_t badges = 0;
    for (std::size_t at = 0; (at = svg.find(">SIMULATED<", at)) != svg.npos; ++at)
        ++badges;
    EXPECT_EQ(badges, 4u) << "each of the two says what it is, beside its name and over its lanes";
    EXPECT_THAT(made("both.html"), HasSubstr("<svg"));
    EXPECT_THAT(made("both.html"), testing::Not(HasSubstr("<script")));
    ASSERT_EQ(olab("compare one.olab run.olab -o again.svg").code, 0);
    EXPECT_EQ(made("again.svg"), svg) << "the same view gives the same bytes";
    ASSERT_EQ(olab("compare one.olab run.olab -o slide.svg --format 16:9 --width 1280").code, 0);
    EXPECT_THAT(made("slide.svg"), HasSubstr("viewBox=\"0 0 1920 1080\""));
}

TEST_F(Render, OfAComparisonAWrongNameIsSaidAndItsAssertionsDecide) {
    EXPECT_EQ(olab("compare run.olab run.olab -o both.gif").code, 2);
    EXPECT_EQ(olab("compare run.olab run.olab --assert 'overlap(h2d,kernel)>1' -o both.svg").code, 1);
    EXPECT_THAT(made("both.svg"), HasSubstr("<svg"));
}

TEST_F(Render, WhereTheSessionHasNoFolderNothingIsLeftAmongTheTemporaryFiles) {
    const fs::path temporary = m_folder / "temporary";
    fs::create_directory(temporary);
    const std::string start =
        "env -u XDG_RUNTIME_DIR TMPDIR='" + temporary.string() + "' '" OLAB_PROGRAM "' ";
    for (const char* arguments :
         {"render run.olab out.png", "render run.olab out.svg", "render run.olab out.pdf",
          "render run.olab out.html", "compare run.olab run.olab -o both.png"}) {
        const Result r = shell(start + arguments);
        EXPECT_EQ(r.code, 0) << arguments << ": " << r.err;
        EXPECT_EQ(r.err, "") << arguments;
        EXPECT_TRUE(fs::is_empty(temporary)) << arguments;
    }
    EXPECT_EQ(shell(start + "render missing.olab out.png").code, 2);
    EXPECT_TRUE(fs::is_empty(temporary)) << "after an error";
}

TEST_F(Render, TakesWidthThemeAndPart) {
    ASSERT_EQ(olab("render run.olab a.svg --width 1600 --theme dark --from 100us --to 300us").code, 0);
    const std::string svg = made("a.svg");
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 1600 "));
    EXPECT_THAT(svg, HasSubstr("A part of the run"));
    EXPECT_THAT(svg, HasSubstr("#1b1f26")) << "the dark window";
    ASSERT_EQ(olab("render run.olab slide.svg --format 16:9 --projector").code, 0);
    EXPECT_THAT(made("slide.svg"), HasSubstr("viewBox=\"0 0 1920 1080\""));
    ASSERT_EQ(olab("render run.olab b.svg --from 100us").code, 0);
    EXPECT_THAT(made("b.svg"), HasSubstr("A part of the run"));
}

TEST_F(Render, WrongUseIsSaid) {
    expectUsageError("render run.olab run.jpg", "must end in one of these: .png, .svg, .pdf, .html");
    expectUsageError("render run.olab run.svg --width 100", "640 to 8192");
    expectUsageError("render run.olab run.svg --theme pink", "light, dark");
    expectUsageError("render run.olab run.svg --format 4:3", "tall, 16:9");
    expectUsageError("render run.olab run.html --format 16:9", "Write PNG, SVG or PDF for 16:9");
    expectUsageError("render missing.olab run.svg", "missing.olab");
    expectUsageError("render run.olab none/run.svg", "its folder does not exist");
    expectUsageError("render run.olab run.svg --from 500s", "holds nothing in this part");
    EXPECT_FALSE(fs::exists(m_folder / "run.svg"));
}

#endif

} // namespace
