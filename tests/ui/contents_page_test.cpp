// What a file says: what was found in it and what was not, what can therefore not be judged, and what of it
// could not be used.
#include "patience.h"
#include "shown_fixture.h"
#include "test_places.h"
#include "window_states.h"

#include <olab/trace/trace_builder.h>
#include <olab/ui/format.h>

#include <results/contents_page.h>
#include <results/summary_lines.h>
#include <results/verdict_strip.h>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

QString wordsOf(const QWidget& page) {
    QStringList all;
    for (const QLabel* label : page.findChildren<QLabel*>())
        all << label->text();
    return all.join(QLatin1Char('\n'));
}

QString rowOf(const std::vector<SaidSection>& sections, const QString& name) {
    for (const SaidSection& section : sections)
        for (const SaidRow& row : section.rows)
            if (row.name == name)
                return row.text;
    return {};
}

/// Three kernels, one of them without a grid; two copies, one of memory that nothing names.
view::ViewDataPtr mixedShown(const std::vector<Defect>& defects = {}) {
    TraceBuilder builder;
    builder.add(DeviceRecord{.device = 0, .name = "Test GPU", .uuid = {}, .smCount = 132});
    builder.add(ContextRecord{1, 0, 7});
    builder.add(StreamRecord{1, 13, StreamKind::NonBlocking, -1});
    builder.add(ProvenanceRecord{SourceKind::Imported, "A tool", "3.1", {}});
    Ns at = 1'000'000;
    const auto add = [&](ActivityClass cls, auto change) {
        ActivityRecord record = deviceWork(cls, at, at + 1'000, 13);
        record.name = builder.intern(cls == ActivityClass::Kernel ? "spin" : "");
        change(record);
        builder.add(record);
        at += 2'000;
    };
    add(ActivityClass::Kernel, [](ActivityRecord&) {});
    add(ActivityClass::Kernel, [](ActivityRecord&) {});
    add(ActivityClass::Kernel, [](ActivityRecord& r) { r.geometry.reset(); });
    add(ActivityClass::MemcpyD2H, [](ActivityRecord& r) { r.target = MemoryKind::Pinned; });
    add(ActivityClass::MemcpyD2H, [](ActivityRecord& r) { r.target = MemoryKind::Unknown; });
    add(ActivityClass::Kernel, [](ActivityRecord& r) { r.end = r.begin - 5; }); // refused
    for (const Defect& defect : defects)
        builder.addDefect(defect.code, defect.count, defect.classes, defect.detail);
    return std::make_shared<const view::ViewData>(
        recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "mixed", false));
}

std::vector<SaidSection> saidOf(const view::ViewDataPtr& shown) {
    return whatItSays(*shown->recording, *shown->report());
}

TEST(Contents, RecordsAreCountedByKindAndAddUp) {
    const auto said = saidOf(mixedShown());
    EXPECT_EQ(rowOf(said, "Records"), "6 read = 5 kept + 1 refused");
    EXPECT_EQ(rowOf(said, "Kernels"), "3: 1 name, 2 with their grid");
    EXPECT_EQ(rowOf(said, "D2H copies"), "2: 32 MiB, 1 pinned, 1 without a memory kind");
    EXPECT_EQ(rowOf(said, "Streams"), "1 nonblocking") << "as its records name it";
    EXPECT_TRUE(rowOf(said, "Recorded with").startsWith("A tool 3.1"));
    const QString absent = rowOf(said, "No records of");
    for (const char* kind : {"memsets", "API calls", "H2D copies", "NVTX ranges"})
        EXPECT_TRUE(absent.contains(QLatin1String(kind))) << kind;
    EXPECT_FALSE(absent.contains("D2H"));
}

TEST(Contents, SaysWhatCannotBeJudgedAndWhyInTheWordsOfTheReport) {
    const view::ViewDataPtr shown = mixedShown();
    const auto said = saidOf(shown);
    QString all;
    for (const SaidSection& section : said)
        for (const SaidRow& row : section.rows)
            all += row.text + '\n';
    const auto& abstained = shown->recording->report.abstained;
    ASSERT_FALSE(abstained.empty());
    for (const analysis::Abstention& abstention : abstained)
        EXPECT_TRUE(all.contains("lacks " + sentence(abstention.lacks))) << abstention.lacks;
    EXPECT_TRUE(all.contains("Pageable host memory: it lacks the memory kinds of 1 of 2 copies"))
        << qPrintable(all);
}

TEST(Contents, DefectsComeTheMostFrequentFirstAndNoMoreOfThemThanAnybodyReads) {
    std::vector<Defect> many;
    for (std::uint64_t i = 1; i <= 150; ++i)
        many.push_back({DefectCode::BadRecord, i, kAllClasses, "reason " + std::to_string(i)});
    const auto said = saidOf(mixedShown(many));
    const auto section = std::ranges::find_if(
        said, [](const SaidSection& s) { return s.title.startsWith("Defects and notices"); });
    ASSERT_NE(section, said.end());
    ASSERT_EQ(section->rows.size(), 101u);
    EXPECT_TRUE(section->rows[0].name.startsWith("150 ×")) << qPrintable(section->rows[0].name);
    EXPECT_TRUE(section->rows[0].text.contains("reason 150"));
    EXPECT_TRUE(section->rows[1].name.startsWith("149 ×"));
    EXPECT_TRUE(section->rows.back().text.startsWith("And 51 more")) << "the refused one is among them";
}

TEST(ContentsPage, IsThereWithoutARecordingAndIsMadeWhenItIsLookedAt) {
    ContentsPage page;
    page.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(wordsOf(page).contains("Open one"));
    page.hide();
    page.setShown(smallShown());
    EXPECT_EQ(page.widget(), nullptr) << "nobody looks";
    page.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(wordsOf(page).contains("4 read = 4 kept + 0 refused")) << qPrintable(wordsOf(page));
    page.setShown(nullptr);
    EXPECT_TRUE(wordsOf(page).contains("Open one"));
}

TEST(ContentsWindow, TheNoteOfADamagedFileLeadsToIt) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("cut.olab");
    std::filesystem::copy_file(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab", path.toStdString());
    std::filesystem::resize_file(path.toStdString(), std::filesystem::file_size(path.toStdString()) * 2 / 3);
    StatefulWindow t;
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() && !t.session.busy(); }, kPatience));
    StatefulWindow::settle();
    auto* button = t.window.findChild<QPushButton*>("contentsOfFile");
    ASSERT_NE(button, nullptr);
    ASSERT_TRUE(button->isVisible());
    const auto* page = t.window.findChild<ContentsPage*>();
    EXPECT_FALSE(page->isVisible());
    button->click();
    ASSERT_TRUE(page->isVisible());
    const QString words = wordsOf(*page);
    EXPECT_TRUE(words.contains("cut.olab"));
    EXPECT_TRUE(words.contains("Overlap Lab recording, version 2")) << qPrintable(words);
    EXPECT_TRUE(words.contains("The file ends too early"));
    ASSERT_TRUE(t.open("default-h200"));
    EXPECT_FALSE(button->isVisible()) << "of a whole one there is nothing to say";
    EXPECT_FALSE(wordsOf(*page).contains("ends too early"));
}

TEST(ContentsWindow, TheMenuOpensItToo) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("default-h200"));
    const auto* page = t.window.findChild<ContentsPage*>();
    for (QAction* action : t.window.findChildren<QAction*>())
        if (action->text().remove('&') == "File details")
            action->trigger();
    EXPECT_TRUE(page->isVisible());
}

TEST(ContentsWindow, AFileWithoutWorkOfAGpuSaysWhatToDo) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("cpu.json");
    std::ofstream(path.toStdString())
        << R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,)"
           R"("ts":5,"dur":1}]})";
    StatefulWindow t;
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() && !t.session.busy(); }, kPatience));
    EXPECT_TRUE(
        t.window.findChild<VerdictStrip*>()->accessibleDescription().contains("record again with CUDA"));
}

} // namespace
