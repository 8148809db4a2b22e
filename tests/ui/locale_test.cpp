// The same words, pictures and files for everybody: nothing that is made may depend on the locale of the
// person.
#include "../german_locale.h"
#include "shown_fixture.h"
#include "test_places.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/io/report_json.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>
#include <olab/trace/value_text.h>
#include <olab/ui/format.h>
#include <olab/ui/picture.h>

#include <results/inspector.h>
#include <timeline/search/search.h>
#include <timeline/texts/range_text.h>

#include <QLocale>

#include <QRegularExpression>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// All that a run becomes, by what it is.
using Made = std::map<std::string, QByteArray>;

Made makeAll() {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "iterations", "3");
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment, 1), {}, builder, {});
    const view::ViewData shown(recording::makeRecording(
        {builder.finish(), experiment::shareExperiment(experiment), analysis::ToolEffect{1'015, 1'000, 5}},
        "Run 7", true));
    const recording::Recording& recording = *shown.recording;
    Made made;
    made["json"] = QByteArray::fromStdString(
        io::reportToJson(recording.report, {recording.trace, &*experiment, true, "run.olab"}));
    made["trust"] = QByteArray::fromStdString(recording.trust());
    for (const char* ending : {"png", "svg", "html"})
        made[ending] = pictureFormatOf(QStringLiteral("x.") + QLatin1String(ending)).make(shown, {});
    const view::RangeNumbers numbers = view::measureRange(shown, recording.trace.deviceSpan());
    made["table"] = rangeTable(shown, numbers).toUtf8();
    made["range"] = rangeText(shown, numbers).toUtf8();
    Inspector inspector;
    inspector.showActivity(std::make_shared<const view::ViewData>(shown.recording), std::nullopt);
    made["inspector"] = inspector.toPlainText().toUtf8();
    return made;
}

class Locale : public testing::Test {
protected:
    Locale() { QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany)); }
    ~Locale() override { QLocale::setDefault(m_before); }
    QLocale m_before;
};

} // namespace

TEST_F(Locale, WhatIsMadeInGermanyIsMadeEverywhere) {
    QLocale::setDefault(QLocale::c());
    const Made expected = makeAll();
    EXPECT_TRUE(expected.at("json").contains(" ms")) << "there are sentences in it";
    const GermanLocale german;
    if (!german.known())
        GTEST_SKIP() << "there is no German locale here, and no localedef to make one";
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    for (const auto& [what, bytes] : makeAll())
        EXPECT_TRUE(bytes == expected.at(what)) << what << " is another in de_DE";
}

TEST_F(Locale, NumbersHaveAPoint) {
    const GermanLocale german;
    EXPECT_EQ(fixedText(32.14, 1), "32.1");
    EXPECT_EQ(fixedText(-0.005, 2), "-0.01");
    EXPECT_EQ(fixedText(1e300, 0).size(), 301u);
    EXPECT_EQ(shortText(0.875, 4), "0.875");
    EXPECT_EQ(shortText(1234567, 4), "1.235e+06");
    EXPECT_EQ(durationText(32'140'000), QStringLiteral("32.1 ms"));
    EXPECT_EQ(rateText(55'000, 1'000), QStringLiteral("55.0 GB/s"));
}

/// fixedText() and shortText() write numbers; what follows the locale would work until somebody in Germany
/// starts the window.
TEST_F(Locale, NoSourceAsksForTheLocale) {
    const QRegularExpression wrong(QStringLiteral("QLocale|std::locale|imbue|strtod|std::sto[dfl]|%L[0-9]"
                                                  "|printf\\([^;]*%[-+#0-9.*]*[aefgAEFG][^;]*;"));
    int files = 0;
    for (const char* folder : {"engine", "ui"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::filesystem::path(OLAB_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
                continue;
            ++files;
            std::ifstream file(entry.path());
            for (std::string line, before; std::getline(file, line);
                 before = line) // a call may have two lines
                EXPECT_FALSE(wrong.match(QString::fromStdString(before + line + ";")).hasMatch() &&
                             line.find("///") == line.npos)
                    << entry.path() << ": " << line;
        }
    EXPECT_GT(files, 200);
}

TEST_F(Locale, TimesThatAPersonTypesAreReadEitherWay) {
    const GermanLocale german;
    for (const char* typed : {"kernel > 1.5ms", "kernel > 1.5 ms", "kernel > 1,5ms", "kernel > 1,5 ms"}) {
        const SearchQuery query = SearchQuery::parse(QString::fromLatin1(typed));
        EXPECT_TRUE(query.error.isEmpty()) << typed << ": " << query.error.toStdString();
        EXPECT_EQ(query.atLeast, 1'500'001) << typed;
    }
    EXPECT_FALSE(SearchQuery::parse(QStringLiteral("> 1.000,5 ms")).error.isEmpty())
        << "one of the two at most";
}
