// Files of other tools that cannot be read: each is called what it is, and what to do is said.
#include "made_database.h"

using namespace olab;
using namespace olab::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

class ForeignFiles : public Imports {};

TEST_F(ForeignFiles, AreKnownByTheirContentAndSayWhatToDo) {
    const struct {
        std::string content, is, hint;
    } files[] = {
        {std::string("NVR\0\1", 5), "Nsight Compute", "nsys profile"},
        {"<?xml version=\"1.0\"?>\n<session version=\"2\">", "Visual Profiler", "nvprof -o FILE"},
        {"<html><body>Not found</body></html>", "HTML", "Open the trace itself"},
        {"\x89HDF\r\n\x1a\n.....", "HDF5", "nsys export --type sqlite"},
        {"PK\x03\x04.....", "zip archive", "Unpack it"},
        {std::string("\x0a\x20\x08\x01\x12\x0d/device:GPU:0......", 24), "xplane.pb", "trace.json.gz"},
        {std::string("\x0a\x10\x32\x0e\x0a\x05\x08\x06\x10\x01.......", 16), "Perfetto", "traceconv json"},
        {"\"Type\",\"Time(%)\",\"Time\",\"Calls\"\n", "summary by nvprof", "--print-gpu-trace"},
        {"Start (ns),End (ns),DurChild\n", "nsys stats", "nsys export --type sqlite"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "a pointer of Git LFS",
         "git lfs pull"},
        {"{\"rocprofiler-sdk-tool\": [{\"metadata\": {}}]}", "rocprofv3", "--output-format rocpd"},
        {" {\n \"rocprofiler-sdk-tool\"", "rocprofv3", "--sys-trace"},
        {std::string("\xff\xfe{\0\"\0", 6), "UTF-16LE", "iconv -f UTF-16LE"},
        {std::string("\xfe\xff\0{\0\"", 6), "UTF-16BE", "iconv -f UTF-16BE"},
        {std::string("{\0\"\0a\0", 6), "UTF-16LE", "iconv -f UTF-16LE"},
        {std::string("\0[\0\"\0a", 6), "UTF-16BE", "iconv -f UTF-16BE"},
        {std::string("\xff\xfe\0\0{\0\0\0", 8), "UTF-32LE", "iconv -f UTF-32LE"},
        {std::string("\0\0\0{\0\0\0\"", 8), "UTF-32BE", "iconv -f UTF-32BE"},
        {"\x37\x7f\x06\x82.....", "the log of an SQLite database", "Open the database itself"},
    };
    for (const auto& file : files)
        EXPECT_THAT(refusalOf(put("x.olab", file.content)), AllOf(HasSubstr(file.is), HasSubstr(file.hint)));
    makeDatabase(path("a.sqlite"), "CREATE TABLE notes(a INT); CREATE TABLE people(b INT)");
    EXPECT_THAT(refusalOf(path("a.sqlite")), AllOf(HasSubstr("notes, people"), HasSubstr("nsys export")));
    makeDatabase(path("b.sqlite"), "CREATE TABLE t(a INT); DROP TABLE t");
    EXPECT_THAT(refusalOf(path("b.sqlite")), HasSubstr("it has no tables"));
    EXPECT_THAT(refusalOf(put("c", "just some words")),
                AllOf(HasSubstr("unrecognized format"), Not(HasSubstr("damaged"))));
    EXPECT_THAT(refusalOf(put("c.olab", "XXXX just some words")),
                AllOf(HasSubstr("Overlap Lab recording. If it is one, the header is damaged"),
                      HasSubstr("copy it again")));
    EXPECT_THAT(refusalOf(put("d.json", "")), AllOf(HasSubstr("is empty"), HasSubstr("Copy it again")));
}

} // namespace
