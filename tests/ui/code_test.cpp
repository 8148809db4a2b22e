// The page of the CUDA code: whose program it shows, what lights its lines, what its lines select, and that
// it can be read in every theme.
#include "patience.h"
#include "window_states.h"

#include "test_places.h"

#include <olab/io/recording_file.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <results/code_page.h>
#include <results/code_view.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

#include <gtest/gtest.h>

#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr recordedRun(const char* name) {
    return std::make_shared<const view::ViewData>(
        recording::openRecording(std::string(OLAB_SOURCE_DIR) + "/resources/recordings/" + name + ".olab"));
}

/// Of a tool that knows no experiment.
view::ViewDataPtr strangersRun() {
    io::RecordingData data =
        io::readRecording(std::string(OLAB_SOURCE_DIR) + "/resources/recordings/default-h200.olab");
    return std::make_shared<const view::ViewData>(
        recording::makeRecording(io::recordsOnly(data), "strange", false));
}

std::set<std::string> linesWith(const CodeView& view, LineMark mark) {
    std::set<std::string> found;
    for (std::size_t i = 0; i < view.lines().size(); ++i) {
        const std::string& text = view.lines()[i].line.text; // a blank one has no letter
        if (view.markOf(i) == mark)
            found.insert(text.substr(std::min(text.find_first_not_of(' '), text.size())));
    }
    return found;
}

bool holds(const std::set<std::string>& lines, const std::string& part) {
    return std::ranges::any_of(lines,
                               [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

int lineOf(const CodeView& view, const std::string& part) {
    for (std::size_t i = 0; i < view.lines().size(); ++i)
        if (view.lines()[i].line.text.find(part) != std::string::npos)
            return static_cast<int>(i);
    return -1;
}

ActivityIndex firstOf(const view::ViewData& shown, ActivityClass cls) {
    for (ActivityIndex i = 0; i < shown.trace().size(); ++i)
        if (shown.trace()[i].cls == cls && shown.facts.opOf(i))
            return i;
    return kNoActivity;
}

experiment::HeldExperiment with(std::initializer_list<const char*> options) {
    experiment::HeldExperiment e;
    for (const char* option : options)
        experiment::setOption(e, option);
    return e;
}

QColor colourAt(const CodeView& view, int line, const char* word) {
    const QTextBlock block = view.document()->findBlockByNumber(line);
    const auto at = block.text().indexOf(QLatin1String(word));
    for (const QTextLayout::FormatRange& range : block.layout()->formats())
        if (range.start <= at && at < range.start + range.length)
            return range.format.foreground().color();
    return {};
}

struct Page {
    Page() {
        page.resize(900, 400);
        page.show();
    }
    CodePage page;
    const CodeView& view = page.view();
};

} // namespace

TEST(CodePage, ShowsTheProgramOfTheRun) {
    Page t;
    t.page.setShown(recordedRun("null-stream-h200"));
    EXPECT_EQ(t.page.source(), CodePage::Source::Run);
    EXPECT_GE(lineOf(t.view, "cudaStreamLegacy"), 0);
    EXPECT_EQ(t.view.toPlainText().toStdString() + "\n", t.page.text());
}

TEST(CodePage, SaysWhyThereIsNone) {
    Page t;
    t.page.setShown(strangersRun());
    EXPECT_TRUE(t.page.text().empty());
    EXPECT_TRUE(t.view.isHidden());
    for (const QPushButton* button : t.page.findChildren<QPushButton*>())
        EXPECT_FALSE(button->isEnabled()) << button->text().toStdString();
    t.page.setShown(recordedRun("default-h200"));
    EXPECT_FALSE(t.view.isHidden());
}

TEST(CodePage, WhatIsSelectedInTheTimelineLightsItsLinesAndNoOthers) {
    Page t;
    const view::ViewDataPtr shown = recordedRun("default-h200");
    t.page.setShown(shown);
    EXPECT_TRUE(linesWith(t.view, LineMark::Selected).empty());
    t.page.setSelected(firstOf(*shown, ActivityClass::Kernel));
    const auto kernel = linesWith(t.view, LineMark::Selected);
    EXPECT_TRUE(holds(kernel, "work<<<blocks, threadsPerBlock, 0, p.stream>>>"));
    EXPECT_FALSE(holds(kernel, "cudaMemcpyAsync"));
    t.page.setSelected(firstOf(*shown, ActivityClass::MemcpyD2H));
    EXPECT_EQ(linesWith(t.view, LineMark::Selected).size(), 1u);
    EXPECT_TRUE(holds(linesWith(t.view, LineMark::Selected), "cudaMemcpyDeviceToHost, p.stream"));
    t.page.setSelected({});
    EXPECT_TRUE(linesWith(t.view, LineMark::Selected).empty());
}

TEST(CodePage, ACallLightsTheLinesOfWhatItIssued) {
    Page t;
    const view::ViewDataPtr shown = recordedRun("default-h200");
    t.page.setShown(shown);
    t.page.setSelected(shown->facts.apiOf(firstOf(*shown, ActivityClass::Memset)));
    EXPECT_TRUE(holds(linesWith(t.view, LineMark::Selected), "cudaMemsetAsync(p.scratch"));
}

TEST(CodePage, ALineThatIsChosenSelectsItsOperationsOneAfterTheOther) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("default-h200"));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("code")));
    auto* view = t.window.findChild<CodeView*>();
    ASSERT_NE(view, nullptr);
    const analysis::Facts& facts = t.window.shown()->facts;
    const auto selected = [&] {
        const auto index = t.window.timeline().canvas().selection().activity();
        return index ? facts.opOf(*index) : nullptr;
    };
    emit view->lineChosen(lineOf(*view, "cudaMemsetAsync(p.scratch"));
    ASSERT_NE(selected(), nullptr);
    EXPECT_EQ(selected()->kind, experiment::OpKind::Memset);
    const OpId first = selected()->id;
    emit view->lineChosen(lineOf(*view, "cudaMemsetAsync(p.scratch"));
    EXPECT_EQ(selected()->kind, experiment::OpKind::Memset);
    EXPECT_GT(selected()->id, first);
    EXPECT_TRUE(holds(linesWith(*view, LineMark::Selected), "cudaMemsetAsync(p.scratch"));
    emit view->lineChosen(lineOf(*view, "int main()")); // executes nothing: all stays
    EXPECT_EQ(selected()->kind, experiment::OpKind::Memset);
}

TEST(CodePage, AClickAndEnterChooseTheLine) {
    Page t;
    t.page.setShown(recordedRun("default-h200"));
    auto* view = t.page.findChild<CodeView*>();
    const QSignalSpy chosen(view, &CodeView::lineChosen);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->cursorRect().center());
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.back().front().toInt(), 0);
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_EQ(chosen.count(), 2);
}

TEST(CodePage, WhoReadsByKeysSeesTheLineAndWhatEnterDoes) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("default-h200"));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("code")));
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, kPatience));
    const auto* page = t.window.findChild<CodePage*>();
    auto* view = t.window.findChild<CodeView*>();
    const auto goTo = [view](int line) {
        view->setTextCursor(QTextCursor(view->document()->findBlockByNumber(line)));
    };
    const auto striped = [view](int line) {
        return std::ranges::any_of(view->extraSelections(), [line](const QTextEdit::ExtraSelection& stripe) {
            return stripe.cursor.blockNumber() == line;
        });
    };
    view->setFocus(Qt::TabFocusReason);
    const int works = lineOf(*view, "cudaMemsetAsync(p.scratch"), idle = lineOf(*view, "int main()");
    goTo(works);
    EXPECT_TRUE(striped(works)) << "a thin cursor alone is not found";
    EXPECT_TRUE(page->status().contains(QStringLiteral("Enter"))) << qPrintable(page->status());
    goTo(idle);
    EXPECT_TRUE(striped(idle));
    EXPECT_FALSE(striped(works));
    EXPECT_TRUE(page->status().contains(QStringLiteral("runs no operation"))) << qPrintable(page->status());
    goTo(0);
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_GT(view->currentLine(), 0) << "nobody looks for the lines that count";
    EXPECT_TRUE(page->status().contains(QStringLiteral("the operations of this line")));
    EXPECT_FALSE(t.window.timeline().canvas().selection().activity());
    const int first = view->currentLine();
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_EQ(view->currentLine(), first);
    EXPECT_TRUE(t.window.timeline().canvas().selection().activity());
    goTo(idle);
    t.window.timeline().canvas().setFocus();
    EXPECT_FALSE(striped(idle));
}

TEST(CodePage, CopiesAndSavesTheWholeProgram) {
    Page t;
    t.page.setShown(recordedRun("default-h200"));
    const QSignalSpy saved(&t.page, &CodePage::saveRequested);
    for (QPushButton* button : t.page.findChildren<QPushButton*>())
        button->click();
    EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), t.page.text());
    EXPECT_EQ(t.page.status(), QStringLiteral("Copied."));
    ASSERT_EQ(saved.count(), 1);
    EXPECT_EQ(saved.front().front().toString().toStdString(), t.page.text());
}

TEST(CodePage, AnOptionThatIsToggledLightsTheLinesItMakes) {
    Page t;
    t.page.setForm(experiment::HeldExperiment{});
    t.page.setShown(recordedRun("default-h200"));
    EXPECT_EQ(t.page.source(), CodePage::Source::Run);
    t.page.setForm(with({"h2d.memory=pageable"}));
    EXPECT_EQ(t.page.source(), CodePage::Source::Form);
    const auto lit = linesWith(t.view, LineMark::Option);
    EXPECT_TRUE(holds(lit, "malloc(h2dBytes)"));
    EXPECT_TRUE(holds(lit, "// Pageable:"));
    EXPECT_FALSE(holds(lit, "cudaMemsetAsync"));
    EXPECT_TRUE(t.page.status().contains(QStringLiteral("h2d.memory: pinned → pageable")))
        << t.page.status().toStdString();
    t.page.setForm(with({"h2d.memory=pageable", "memset=off"}));
    EXPECT_FALSE(holds(linesWith(t.view, LineMark::Option), "malloc(h2dBytes)")); // no longer the last edit
    EXPECT_TRUE(t.page.status().contains(QStringLiteral("memset: on → off")));
    t.page.setForm(experiment::HeldExperiment{}); // as the run again
    EXPECT_EQ(t.page.source(), CodePage::Source::Run);
}

TEST(CodePage, SettingsThatCannotBeHaveNoProgram) {
    Page t;
    t.page.setForm(experiment::HeldExperiment{});
    t.page.setForm(with({"p2p=on"}));
    EXPECT_TRUE(t.page.text().empty());
    t.page.setForm(with({"p2p=on", "devices=all"}));
    EXPECT_GE(lineOf(t.view, "cudaMemcpyPeerAsync"), 0);
}

TEST(CodePage, BeforeAndAfterOfATryAreADifference) {
    Page t;
    const view::ViewDataPtr before = recordedRun("full-grid-h200"), after = recordedRun("default-h200");
    t.page.setShown(after);
    t.page.setCompared(before, after);
    EXPECT_EQ(t.page.source(), CodePage::Source::Compared);
    EXPECT_TRUE(holds(linesWith(t.view, LineMark::Removed), "fills = 8"));
    EXPECT_TRUE(holds(linesWith(t.view, LineMark::Added), "blocks = 64"));
    EXPECT_EQ(t.page.text().find("fills"), std::string::npos) << "what is copied is the later one";
    t.page.setShown(before); // one of the two: it stays
    EXPECT_EQ(t.page.source(), CodePage::Source::Compared);
    t.page.setShown(recordedRun("graph-h200"));
    EXPECT_EQ(t.page.source(), CodePage::Source::Run);
}

TEST(CodePage, ATryBringsTheDifference) {
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    const auto* page = t.window.findChild<CodePage*>();
    EXPECT_EQ(page->source(), CodePage::Source::Compared);
    ASSERT_TRUE(t.window.showPage(QStringLiteral("code")));
    EXPECT_TRUE(holds(linesWith(page->view(), LineMark::Added), "blocks = 64"));
}

TEST(CodePage, EveryWordCanBeReadOnEveryLineInEveryTheme) {
    for (const bool dark : {false, true})
        for (const bool projector : {false, true})
            for (std::size_t mark = 0; mark < kLineMarks; ++mark) {
                const Theme& theme = Theme::of(dark, projector);
                for (std::size_t word = 0; word < kCodeWords; ++word)
                    EXPECT_GE(contrastRatio(codeColour(theme, static_cast<CodeWord>(word)), theme.raised),
                              4.5)
                        << "word " << word << " of the line that is read" << (dark ? " dark" : " light");
                const QColor line = markColour(theme, static_cast<LineMark>(mark));
                EXPECT_GE(contrastRatio(theme.text, line), 4.5);
                for (std::size_t word = 0; word < kCodeWords; ++word)
                    EXPECT_GE(contrastRatio(codeColour(theme, static_cast<CodeWord>(word)), line), 4.5)
                        << "word " << word << " mark " << mark << (dark ? " dark" : " light");
            }
}

TEST(CodePage, AThemeColoursItAnew) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("default-h200"));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("code")));
    const auto* view = t.window.findChild<CodeView*>();
    const int line = lineOf(*view, "constexpr int streams");
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        t.window.setTheme(choice);
        StatefulWindow::settle();
        const Theme& theme = Theme::of(t.window.palette());
        EXPECT_EQ(colourAt(*view, line, "constexpr"), codeColour(theme, CodeWord::Keyword));
        EXPECT_EQ(colourAt(*view, 0, "Overlap"), codeColour(theme, CodeWord::Comment));
    }
}
