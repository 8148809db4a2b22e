// The gallery, the chooser of presets and the undo of settings, as a person uses them.
#include "patience.h"
#include "shown_fixture.h"
#include "test_places.h"
#include "usual_look.h"

#include <olab/experiment/held_experiment.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <experiment/experiment_panel.h>
#include <experiment/preset_chooser.h>
#include <experiment/preset_fit.h>
#include <gallery/gallery_card.h>
#include <gallery/gallery_page.h>
#include <window/window_layout.h>
#include <window/window_parts.h>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

const auto kFolder = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings");

struct GalleryDesk {
    explicit GalleryDesk(const QString& folder = kFolder)
        : window(session, {.remember = false, .askBeforeClose = false, .recordings = folder}) {
        window.resize(1280, 720);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window, kPatience);
    }
    bool waitForRecording() {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        return QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    GalleryPage& gallery() { return *window.findChild<GalleryPage*>(); }
    GalleryCard* card(const char* name) { return gallery().findChild<GalleryCard*>(QLatin1String(name)); }
    ExperimentPanel& panel() { return *window.findChild<ExperimentPanel*>(); }
    PresetChooser* chooser() { return window.findChild<PresetChooser*>(); }
    PresetChooser& openChooser() {
        panel().openChooser();
        return *chooser();
    }
    UsualLook look;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window;
};

const experiment::Preset& preset(const char* id) {
    return *experiment::findPreset(id);
}

QStringList linkTexts(const experiment::Preset& of) {
    QStringList texts;
    for (const PresetLink& link : linksIn(of))
        texts << QString::fromStdString(of.text.substr(link.begin, link.end - link.begin));
    return texts;
}

} // namespace

TEST(ShippedRecordings, AreFoundWithTheirPresetAndDevice) {
    const auto all = shippedRecordings(kFolder);
    EXPECT_EQ(all.size(), 50u);
    int ofPresets = 0;
    for (const ShippedRecording& recording : all) {
        ASSERT_NE(recording.preset, nullptr) << recording.name.toStdString();
        EXPECT_EQ(recording.device, QStringLiteral("H200"));
        if (!recording.exactly)
            continue;
        ++ofPresets;
        EXPECT_EQ(*io::readRecording(recording.path.toStdString()).experiment, recording.preset->experiment)
            << recording.name.toStdString() << " is a run of that preset";
    }
    EXPECT_EQ(ofPresets, 49) << "two-gpus-p2p is no preset";
    EXPECT_NE(recordingOf(all, &preset("full-grid")), nullptr);
    EXPECT_EQ(recordingOf(all, &preset("blog-c1060-v1")), nullptr);
    EXPECT_TRUE(shippedRecordings(QStringLiteral("/no/such/folder")).empty());
}

TEST(Gallery, IsWhatTheWindowShowsFirst) {
    GalleryDesk t;
    ASSERT_TRUE(t.window.parts().centre.isIn(olab::ui::Room::Gallery));
    EXPECT_TRUE(t.gallery().isVisible());
    EXPECT_EQ(t.gallery().cards().size(), experiment::presets().size() + 1)
        << "each preset, and the run of no preset";
    GalleryCard* first = t.card("default-h200");
    ASSERT_NE(first, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return first->hasPicture(); }, kPatience));
    EXPECT_FALSE(first->texts().verdict.isEmpty());
    EXPECT_TRUE(first->texts().foot.contains(QStringLiteral("NVIDIA H200")))
        << first->texts().foot.toStdString();
    EXPECT_TRUE(first->accessibleName().contains(first->texts().verdict));
    t.gallery().setMachine({1, false}); // the answer which GPUs there are comes late
    EXPECT_TRUE(first->texts().foot.contains(QStringLiteral("NVIDIA H200")));
    GalleryCard* last = t.gallery().cards().back();
    EXPECT_FALSE(last->hasPicture()) << "nobody has looked at it";
    t.gallery().findChild<QScrollArea*>()->ensureWidgetVisible(last);
    ASSERT_TRUE(QTest::qWaitFor([&] { return last->hasPicture(); }, kPatience));
    first->click();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_FALSE(t.window.parts().centre.isIn(olab::ui::Room::Gallery));
    EXPECT_EQ(titleText(*t.window.shown()), QStringLiteral("default-h200.olab"));
}

TEST(Gallery, TheDemonstrationsStandFirstAsLargeCards) {
    GalleryDesk t;
    const auto cards = t.gallery().cards();
    std::size_t demonstrations = 0;
    for (const experiment::Preset& each : experiment::presets())
        demonstrations += !each.shows.empty();
    EXPECT_EQ(demonstrations, 5u);
    const GalleryCard* usual = t.card("default-h200");
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const bool isFirst = i < demonstrations;
        EXPECT_EQ(!cards[i]->texts().shows.isEmpty(), isFirst) << i;
        EXPECT_EQ(cards[i]->width() > usual->width() * 3 / 2, isFirst) << i;
    }
    EXPECT_LE(cards[demonstrations - 1]->mapTo(&t.gallery(), QPoint(0, cards[0]->height())).y(),
              t.gallery().height())
        << "all of them are seen without scrolling";
    GalleryCard* pageable = t.card("pageable-h200");
    ASSERT_TRUE(QTest::qWaitFor([&] { return pageable->hasPicture(); }, kPatience));
    EXPECT_TRUE(
        pageable->texts().verdict.contains(QStringLiteral("slower than ideal: copies use pageable memory")))
        << pageable->texts().verdict.toStdString() << ": the headline of the run";
    EXPECT_EQ(pageable->accessibleDescription(), pageable->texts().shows);
}

TEST(Gallery, IsReachedAgainAndLeftWithEsc) {
    GalleryDesk t;
    t.card("full-grid-h200")->click();
    ASSERT_TRUE(t.waitForRecording());
    QTest::keyClick(&t.window, Qt::Key_G, Qt::ControlModifier);
    EXPECT_TRUE(t.window.parts().centre.isIn(olab::ui::Room::Gallery));
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_TRUE(t.gallery().isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(t.window.parts().centre.isIn(olab::ui::Room::Gallery));
    int reached = 0;
    for (QAction* action : t.window.findChildren<QAction*>())
        reached += action->text().remove(QLatin1Char('&')).contains(QStringLiteral("allery"));
    EXPECT_GE(reached, 2) << "in the menus File and Help";
}

TEST(Gallery, ArrowsMoveEnterOpens) {
    GalleryDesk t;
    t.gallery().focusCard();
    const auto cards = t.gallery().cards();
    EXPECT_EQ(QApplication::focusWidget(), cards[0]);
    QTest::keyClick(cards[0], Qt::Key_Right);
    EXPECT_EQ(QApplication::focusWidget(), cards[1]);
    QTest::keyClick(cards[1], Qt::Key_Down);
    auto* below = qobject_cast<GalleryCard*>(QApplication::focusWidget());
    ASSERT_NE(below, nullptr);
    EXPECT_GT(below->y(), cards[1]->y());
    EXPECT_EQ(below->x(), cards[1]->x());
    QTest::keyClick(below, Qt::Key_End);
    EXPECT_EQ(QApplication::focusWidget(), cards.back());
    QTest::keyClick(cards.back(), Qt::Key_Home);
    QTest::keyClick(cards[0], Qt::Key_Return);
    EXPECT_TRUE(t.waitForRecording());
}

TEST(Gallery, WithoutAFolderItHasThePresetsAndSaysWhereRecordingsAre) {
    GalleryDesk t(QStringLiteral("/no/such/folder"));
    EXPECT_EQ(t.gallery().cards().size(), experiment::presets().size());
    QString said;
    for (const QLabel* label : t.gallery().findChildren<QLabel*>())
        said += label->text();
    EXPECT_TRUE(said.contains(QStringLiteral("share/overlap-lab/recordings"))) << said.toStdString();
    EXPECT_FALSE(t.panel().findChild<QPushButton*>(QStringLiteral("openRun"))->isVisible());
    t.card("full-grid")->click();
    EXPECT_EQ(t.window.form().experiment(), preset("full-grid").experiment);
    EXPECT_FALSE(t.session.busy()) << "it only fills the form";
}

TEST(Gallery, AFileThatCannotBeReadSaysSoAndHurtsNoOther) {
    const QTemporaryDir folder;
    std::ofstream(folder.filePath(QStringLiteral("default-h200.olab")).toStdString()) << "no recording";
    QFile::copy(kFolder + QStringLiteral("/full-grid-h200.olab"),
                folder.filePath(QStringLiteral("full-grid-h200.olab")));
    GalleryDesk t(folder.path());
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.card("full-grid-h200")->hasPicture(); }, kPatience));
    EXPECT_FALSE(t.card("default-h200")->hasPicture());
    EXPECT_TRUE(t.card("default-h200")->texts().verdict.contains(QStringLiteral("unrecognized format")))
        << t.card("default-h200")->texts().verdict.toStdString();
}

TEST(Gallery, FitsAndIsDrawnInEveryTheme) {
    GalleryDesk t;
    for (const bool large : {false, true})
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            t.window.setTheme(theme);
            t.window.setProjector(large);
            letPass(50);
            EXPECT_EQ(t.window.size(), QSize(1280, 720));
            EXPECT_EQ(t.gallery().cards()[0]->y(), t.gallery().cards()[1]->y())
                << "two side by side at least";
            for (const GalleryCard* card : t.gallery().cards()) {
                EXPECT_LE(card->mapTo(&t.gallery(), QPoint(card->width(), 0)).x(), t.gallery().width());
                EXPECT_EQ(card->size(), card->sizeHint());
            }
            EXPECT_FALSE(t.window.grab().isNull());
        }
}

TEST(Gallery, ThePresetsRunIsBesideRun) {
    GalleryDesk t;
    t.window.parts().layout.show(Part::Form, true); // it has no room by itself beside the cards
    auto* button = t.panel().findChild<QPushButton*>(QStringLiteral("openRun"));
    ASSERT_NE(button, nullptr);
    EXPECT_TRUE(button->isVisible()) << "the default has one";
    EXPECT_EQ(button->text(), QStringLiteral("Open the H200's run"));
    auto* run = t.panel().findChild<QPushButton*>(QStringLiteral("run"));
    EXPECT_EQ(button->mapTo(&t.window, QPoint()).y(), run->mapTo(&t.window, QPoint()).y()) << "beside it";
    t.window.form().setExperiment(preset("blog-c1060-v1").experiment);
    EXPECT_FALSE(button->isVisible());
    t.window.form().setExperiment(preset("full-grid").experiment);
    ASSERT_TRUE(button->isVisible());
    button->click();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(titleText(*t.window.shown()), QStringLiteral("full-grid-h200.olab"));
}

TEST(PresetLinks, WordsOfSettingsAndOfPresetsLeadThere) {
    EXPECT_EQ(linkTexts(preset("full-grid")),
              (QStringList{QStringLiteral("kernel.blocks=64"), QStringLiteral("kernel.blocks=fill:1")}));
    EXPECT_EQ(linkTexts(preset("simple-multi-copy")),
              QStringList{QStringLiteral("kernel.us=800 with kernel.blocks=fill:1")});
    const auto both = linksIn(preset("simple-multi-copy")).front();
    EXPECT_EQ(experiment::optionText(both.experiment, "kernel.us"), "800");
    EXPECT_EQ(experiment::optionText(both.experiment, "kernel.blocks"), "fill:1");
    EXPECT_EQ(
        linkTexts(preset("graph")).front(),
        QStringLiteral("callback=off with h2d.bytes=64KiB, d2h.bytes=64KiB, kernel.us=10 and gate=off"));
    EXPECT_EQ(linkTexts(preset("race-other-stream-mended")),
              QStringList{QStringLiteral("kernel.stream=own with deps=none")})
        << "the first alone cannot be";
    const auto race = linksIn(preset("kernel-in-null-stream"));
    ASSERT_FALSE(race.empty());
    EXPECT_EQ(race[0].preset, &preset("kernel-in-null-stream-race"))
        << "a change that is a preset leads to it";
    const auto blog = linksIn(preset("blog-c2050-sequential"));
    ASSERT_EQ(blog.size(), 2u);
    EXPECT_EQ(blog[0].preset, &preset("blog-c2050-v1"));
    EXPECT_EQ(blog[1].preset, &preset("blog-c2050-v2"));
    for (const experiment::Preset& each : experiment::presets()) {
        for (const auto& [words, id] : each.related) {
            EXPECT_NE(each.text.find(words), std::string::npos) << each.id << ": " << words;
            EXPECT_NE(experiment::findPreset(id), nullptr) << each.id << ": " << id;
        }
        for (const PresetLink& link : linksIn(each)) {
            EXPECT_NE(link.experiment, each.experiment) << each.id;
            EXPECT_TRUE(experiment::conflicts(link.experiment).empty()) << each.id << ": " << link.change;
        }
    }
}

TEST(PresetFit, SaysWhatThisMachineCanRun) {
    const experiment::HeldExperiment usual, two = preset("two-gpus").experiment,
                                            old = preset("blog-c1060-v1").experiment;
    EXPECT_TRUE(fitOf(usual, {0, true}).runs);
    EXPECT_TRUE(fitOf(usual, {1, false}).runs);
    EXPECT_FALSE(fitOf(two, {1, false}).runs);
    EXPECT_TRUE(fitOf(two, {2, false}).runs);
    EXPECT_EQ(fitOf(old, {1, false}).word, QStringLiteral("simulator only"));
    EXPECT_TRUE(fitOf(old, {1, false}).why.contains(QStringLiteral("sim.device=c1060")));
    experiment::HeldExperiment wrong;
    for (const char* step : {"h2d", "d2h", "memset", "kernel", "callback"})
        experiment::setOption(wrong, step, "off");
    EXPECT_FALSE(fitOf(wrong, {1, false}).runs);
}

TEST(PresetChooser, SearchesTitlesTextsAndOptions) {
    GalleryDesk t;
    PresetChooser& chooser = t.openChooser();
    EXPECT_EQ(chooser.listed().size(), static_cast<qsizetype>(experiment::presets().size()));
    auto* search = chooser.findChild<QLineEdit*>();
    EXPECT_EQ(chooser.focusWidget(), search);
    search->setText(QStringLiteral("kernel.blocks=fill:8"));
    EXPECT_TRUE(chooser.listed().contains(QStringLiteral("full-grid"))) << "an option";
    search->setText(QStringLiteral("CUDAFREE between"));
    EXPECT_EQ(chooser.listed(), QStringList{QStringLiteral("free-in-the-loop")}) << "a title, in capitals";
    EXPECT_EQ(chooser.current(), &preset("free-in-the-loop")) << "the first match is shown";
    search->setText(QStringLiteral("starved memset"));
    EXPECT_TRUE(chooser.listed().contains(QStringLiteral("full-grid"))) << "words of the text, in any order";
    auto* open = chooser.findChild<QPushButton*>(QStringLiteral("openRun"));
    EXPECT_TRUE(open->isVisible());
    search->setText(QStringLiteral("zzz"));
    EXPECT_TRUE(chooser.listed().isEmpty());
    EXPECT_FALSE(open->isVisible()) << "it would open what is not listed";
    search->setText(QStringLiteral("CUDAFREE between"));
    EXPECT_TRUE(open->isVisible());
}

TEST(PresetChooser, ArrowsOnlyShowChoosingFillsUndoBringsBack) {
    GalleryDesk t;
    experiment::HeldExperiment own;
    experiment::setOption(own, "streams=9");
    t.window.form().setExperiment(own);
    PresetChooser& chooser = t.openChooser();
    auto* search = chooser.findChild<QLineEdit*>();
    const experiment::Preset* before = chooser.current();
    QTest::keyClick(search, Qt::Key_Down);
    QTest::keyClick(search, Qt::Key_Down);
    ASSERT_NE(chooser.current(), before);
    EXPECT_EQ(t.window.form().experiment(), own) << "moving changes nothing";
    const experiment::Preset* wanted = chooser.current();
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(t.window.form().experiment(), wanted->experiment);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.chooser() == nullptr; }, kPatience));
    auto* run = t.panel().findChild<QPushButton*>(QStringLiteral("run"));
    t.window.activateWindow(); // the offscreen platform leaves nothing active behind a dialog
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, kPatience));
    EXPECT_TRUE(run->hasFocus()) << "where undo is";
    QTest::keyClick(run, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(t.window.form().experiment(), own);
}

TEST(PresetChooser, EscLeavesTheForm) {
    GalleryDesk t;
    experiment::HeldExperiment own;
    experiment::setOption(own, "streams=9");
    t.window.form().setExperiment(own);
    PresetChooser& chooser = t.openChooser();
    QTest::keyClick(chooser.findChild<QLineEdit*>(), Qt::Key_Down);
    QTest::keyClick(&chooser, Qt::Key_Escape);
    EXPECT_EQ(t.window.form().experiment(), own);
}

TEST(PresetChooser, LinksGoToThePresetOrTheChange) {
    GalleryDesk t;
    t.window.form().setExperiment(preset("full-grid").experiment);
    PresetChooser& chooser = t.openChooser();
    ASSERT_EQ(chooser.current(), &preset("full-grid")) << "the form's";
    auto* text = chooser.findChild<QTextBrowser*>();
    EXPECT_TRUE(text->toPlainText().contains(QString::fromStdString(preset("full-grid").text).left(60)));
    emit text->anchorClicked(QUrl(QStringLiteral("link:0")));
    EXPECT_EQ(experiment::optionText(chooser.previewed(), "kernel.blocks"), "64");
    EXPECT_EQ(experiment::optionNumber(chooser.previewed(), "streams"), 2) << "the rest is the preset's";
    EXPECT_EQ(t.window.form().experiment(), preset("full-grid").experiment);
    chooser.findChild<QLineEdit*>()->setText(QStringLiteral("kernel launched without its stream"));
    ASSERT_EQ(chooser.current(), &preset("kernel-in-null-stream"));
    emit text->anchorClicked(QUrl(QStringLiteral("link:0")));
    EXPECT_EQ(chooser.current(), &preset("kernel-in-null-stream-race"));
}

TEST(PresetChooser, OffersTheRecordingAndMarksWhatCannotRun) {
    GalleryDesk t;
    t.window.form().setExperiment(preset("two-gpus").experiment);
    PresetChooser& chooser = t.openChooser();
    const auto* list = chooser.findChild<QTreeWidget*>();
    EXPECT_TRUE(list->currentItem()->text(1).contains(QStringLiteral("needs two GPUs")));
    EXPECT_TRUE(list->currentItem()->text(1).contains(QStringLiteral("H200 run")));
    auto* open = chooser.findChild<QPushButton*>(QStringLiteral("openRun"));
    ASSERT_TRUE(open->isVisible());
    open->click();
    EXPECT_TRUE(t.waitForRecording());
}

TEST(SettingsUndo, GoesBackOptionByOptionAndLeavesLettersAlone) {
    GalleryDesk t;
    t.window.parts().layout.show(Part::Form, true); // its keys are of who sees it
    ExperimentForm& form = t.window.form();
    auto* undo = t.panel().undoAction();
    EXPECT_FALSE(undo->isEnabled());
    auto* streams = qobject_cast<QSpinBox*>(form.editor("streams"));
    streams->setValue(5);
    streams->setValue(6);
    auto* iterations = qobject_cast<QSpinBox*>(form.editor("iterations"));
    iterations->setValue(7);
    form.setExperiment(preset("full-grid").experiment);
    ASSERT_TRUE(undo->isEnabled());
    undo->trigger();
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "iterations"), 7);
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "streams"), 6);
    undo->trigger();
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "iterations"),
              experiment::optionNumber(experiment::HeldExperiment{}, "iterations"));
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "streams"), 6);
    streams->setFocus();
    QTest::keyClick(streams, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(form.experiment(), experiment::HeldExperiment{})
        << "edits of one option are one step; nothing was typed here";
    EXPECT_FALSE(undo->isEnabled());
}

TEST(Gallery, RecentFilesStandAboveTheCardsWithTheirFolders) {
    GalleryPage page({});
    const auto* recent = page.findChild<QWidget*>(QStringLiteral("galleryRecent"));
    EXPECT_TRUE(recent->isHidden());
    page.setRecent({{QStringLiteral("/data/mine/a&b.olab"), QStringLiteral("/data/mine")},
                    {QStringLiteral("/data/yours/a&b.olab"), QStringLiteral("/data/yours")}});
    EXPECT_FALSE(recent->isHidden());
    const auto buttons = recent->findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 2);
    EXPECT_TRUE(buttons[0]->text().contains(QStringLiteral("a&&b.olab")));
    EXPECT_TRUE(buttons[0]->text().contains(QStringLiteral("mine")));
    QString asked;
    QObject::connect(&page, &GalleryPage::recentRequested, [&](const QString& path) { asked = path; });
    buttons[1]->click();
    EXPECT_EQ(asked, QStringLiteral("/data/yours/a&b.olab"));
    page.setRecent({});
    EXPECT_TRUE(recent->isHidden());
}
