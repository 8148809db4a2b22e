// What the command line prints of a file that attacks the terminal: text, on lines that are all our own.
#include "../../hostile_recording.h"
#include "cli_fixture.h"

#include <olab/io/recording_file.h>
#include <olab/trace/trace_builder.h>
#include <olab/trace/visible_text.h>

using namespace olab;
using namespace olab::test;

namespace {

class Hostile : public Cli {
protected:
    void record(const std::string& name, SourceKind source) const {
        TraceBuilder builder;
        addHostileRecords(builder, source);
        io::writeRecording(m_folder / name, builder.finish(), nullptr, {}, {}, {}, hostileBookmarks());
    }
    /// Our own line feeds apart, nothing in it is anything but a letter.
    static void expectHarmless(const std::string& printed, const std::string& what) {
        EXPECT_EQ(visibleLines(printed), printed) << what;
        EXPECT_EQ(printed.find("\n  H2D | kernel       overlapped 100.0 %"), std::string::npos)
            << what << ": a name looks like a line of ours\n"
            << printed;
    }
};

/// A shell's $'...': every byte by its number.
std::string quoted(const std::string& text) {
    std::string out = "\"$(printf '";
    for (const char c : text) {
        char byte[8];
        std::snprintf(byte, sizeof byte, "\\%03o", static_cast<unsigned char>(c));
        out += byte;
    }
    return out + "')\"";
}

} // namespace

TEST_F(Hostile, AReportIsText) {
    for (const SourceKind source : {SourceKind::Imported, SourceKind::Simulated, SourceKind::Cuda}) {
        record("hostile.olab", source);
        const Result r = olab("analyze hostile.olab");
        ASSERT_EQ(r.code, 0) << r.err;
        expectHarmless(r.out + r.err, "analyze");
        EXPECT_THAT(r.out, HasSubstr("\\x1b[31m")) << "it is seen";
        EXPECT_THAT(r.out, HasSubstr("<U+202E> gnp.exe"));
    }
}

TEST_F(Hostile, StatisticsAreText) {
    record("hostile.olab", SourceKind::Imported);
    for (const char* by : {"work", "operator", "range", "call"}) {
        const Result r = olab(std::string("stats hostile.olab --by ") + by);
        ASSERT_EQ(r.code, 0) << r.err;
        expectHarmless(r.out + r.err, by);
        const Result csv = olab(std::string("stats hostile.olab --csv --by ") + by);
        EXPECT_EQ(csv.out.find('\x1b'), std::string::npos) << by;
    }
    EXPECT_THAT(olab("stats hostile.olab").out, HasSubstr("</script>")) << "a name is seen as it is";
}

TEST_F(Hostile, JsonStaysExact) {
    record("hostile.olab", SourceKind::Imported);
    const Result r = olab("analyze hostile.olab --json");
    ASSERT_EQ(r.code, 0) << r.err;
    const json report = json::parse(r.out);
    const std::string name = report["environment"]["device"];
    EXPECT_THAT(name, HasSubstr("\x1b[31m\x1b]0;owned\x07\n")) << "as it is, by JSON's own escapes";
}

TEST_F(Hostile, NamesOfFilesAreText) {
    const std::string name = "a\x1b[31m\n  H2D | kernel       overlapped 100.0 %\xff\xe2\x80\xae.olab";
    record(name, SourceKind::Imported);
    for (const std::string& command :
         {"analyze " + quoted(name), "analyze " + quoted("missing" + name),
          "stats --by " + quoted(name) + " x.olab", "stats " + quoted(name), "run " + quoted(name),
          "run --set " + quoted(name), "run --backend sim --set iterations=1 --assert " + quoted(name),
          "run --backend " + quoted(name), "convert " + quoted(name) + " out.csv",
          "analyze hostile --from " + quoted(name), quoted(name), "help " + quoted(name),
          "render " + quoted(name) + " " + quoted(name)}) {
        const Result r = olab(command);
        expectHarmless(r.out + r.err, command);
    }
}

TEST_F(Hostile, AnExperimentIsText) {
    const Result r =
        olab("run --backend sim --set iterations=1 --set " + quoted("sim.device=file:\x1b[31m\n\xff.json"));
    EXPECT_EQ(r.code, 2);
    expectHarmless(r.out + r.err, "run");
    std::ofstream(m_folder / "bad.json") << "{\"str\\u001b[31m\\neams\": \"\\u202e\"}";
    const Result file = olab("run bad.json");
    EXPECT_EQ(file.code, 2);
    expectHarmless(file.out + file.err, "run bad.json");
}

TEST_F(Hostile, WhatIsNotUtf8StopsNoJson) {
    fs::copy_file(std::string(OLAB_SOURCE_DIR) + "/resources/models/h200.json", m_folder / "a\xff.json");
    const Result r = olab("run --backend sim --set iterations=1 --json -o out.olab --set " +
                          quoted("sim.device=file:a\xff.json"));
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(json::parse(r.out)["experiment"]["sim.device"], "file:a\xef\xbf\xbd.json");
    expectHarmless(r.err, "run");
    const Result text = olab("analyze out.olab");
    EXPECT_EQ(text.code, 0) << text.err;
    expectHarmless(text.out + text.err, "analyze");
    record("hostile.olab", SourceKind::Imported);
    const Result converted = olab("convert hostile.olab again.olab");
    EXPECT_EQ(converted.code, 0) << converted.err;
    expectHarmless(converted.out + converted.err, "convert");
    EXPECT_THAT(olab("analyze again.olab").out, HasSubstr("\\xff\\xc0\\xaf")) << "the bytes are kept";
}

#ifdef OLAB_HAVE_UI

TEST_F(Hostile, TheWindowProgramPrintsTextToo) {
    record("hostile.olab", SourceKind::Imported);
    const std::string window = std::string("QT_QPA_PLATFORM=offscreen '") +
                               (fs::path(OLAB_PROGRAM).parent_path() / "overlap-lab").string() + "' ";
    const Result shown = shell(window + "--screenshot out.png hostile.olab");
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("hostile.olab"));
    expectHarmless(shown.out + shown.err, "--screenshot");
    const Result missing =
        shell(window + "--picture out.png " + quoted("missing\x1b[31m\n\xe2\x80\xae.olab"));
    EXPECT_EQ(missing.code, 2);
    expectHarmless(missing.out + missing.err, "--picture");
}

#endif
