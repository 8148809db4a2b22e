// What a picture says first, and that all of it fits: tall or as a slide, at every width, on a projector.
#include "patience.h"
#include "shown_fixture.h"
#include "test_places.h"
#include "text_listener.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/format.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>

#include <pictures/compare_painter.h>
#include <pictures/picture_painter.h>
#include <window/messages/message_bars.h>
#include <window/picture_export.h>
#include <window/window_parts.h>

#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

#include <filesystem>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr shipped(const std::string& name) {
    return std::make_shared<const view::ViewData>(
        recording::openRecording(std::string(OLAB_SOURCE_DIR) + "/resources/recordings/" + name + ".olab"));
}

std::shared_ptr<recording::Recording>
simulated(const std::vector<std::pair<const char*, const char*>>& settings,
          const std::string& title = "Run 7") {
    experiment::HeldExperiment experiment;
    for (const auto& [key, value] : settings)
        experiment::setOption(experiment, key, value);
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment, 1), {}, builder, {});
    return recording::makeRecording({builder.finish(), experiment::shareExperiment(experiment), std::nullopt},
                                    title, true);
}

PictureRequest wide(bool projector = false, int width = kWideWidth) {
    PictureRequest request;
    request.shape = PictureShape::Wide;
    request.width = width;
    request.projector = projector;
    return request;
}

template <class Picture>
std::vector<PaintedText> textsOn(Picture&& picture) {
    TextPaper paper(picture.size());
    QPainter painter(&paper);
    picture.paint(painter);
    painter.end();
    return paper.listener.texts;
}

std::vector<PaintedText> textsOf(const view::ViewData& shown, const PictureRequest& request) {
    return textsOn(PicturePainter(shown, request));
}

QString allText(const std::vector<PaintedText>& texts) {
    QString all;
    for (const PaintedText& text : texts)
        all += text.text + QLatin1Char(' ');
    return all;
}

/// Nothing reaches out of the picture, and no letters lie on others.
template <class Picture>
void expectReadable(Picture&& picture, const std::string& what) {
    const std::vector<PaintedText> texts = textsOn(picture);
    const QRectF page(QPointF(0, 0), QSizeF(picture.size()));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_TRUE(page.contains(texts[i].area)) << what << ": " << qPrintable(texts[i].text);
        for (std::size_t j = 0; j < i; ++j) {
            const QRectF both = texts[i].area.intersected(texts[j].area);
            EXPECT_FALSE(both.width() > 1 && both.height() > texts[i].area.height() / 3)
                << what << ": \"" << qPrintable(texts[i].text) << "\" on \"" << qPrintable(texts[j].text)
                << '"';
        }
    }
}

} // namespace

TEST(PictureReason, EveryShippedRecordingSaysWhatItIsAndWhy) {
    int recordings = 0, presets = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(OLAB_SOURCE_DIR) + "/resources/recordings")) {
        if (entry.path().extension() != ".olab")
            continue;
        const auto shown = std::make_shared<const view::ViewData>(recording::openRecording(entry.path()));
        const PictureText text = pictureText(*shown, {});
        const std::string name = entry.path().stem();
        ++recordings;
        const experiment::Preset* const preset = experiment::findPreset(name.substr(0, name.rfind("-h200")));
        EXPECT_EQ(text.title, fromText(preset ? preset->title : shown->recording->title)) << name;
        presets += preset != nullptr;
        EXPECT_EQ(text.reason.headline.isEmpty() && text.headline.isEmpty(), !text.race.isEmpty()) << name;
        EXPECT_FALSE(!text.headline.isEmpty() && text.reason.headline.startsWith(QStringLiteral("No rule")))
            << name << ": the account says what held it";
        const auto& findings = shown->recording->report.findings;
        if (!findings.empty() && text.race.isEmpty()) {
            EXPECT_EQ(text.reason.text, sentence(findings.front().text)) << name;
            EXPECT_FALSE(text.reason.remedy.isEmpty()) << name;
        }
    }
    EXPECT_GE(recordings, 46);
    EXPECT_GE(presets, 45) << "nearly each was made by a preset, whose title says what it shows";
}

TEST(PictureReason, IsInEveryFormat) {
    const view::ViewDataPtr shown = shipped("full-grid-h200");
    const PictureText text = pictureText(*shown, {});
    EXPECT_TRUE(text.reason.headline.contains("Memset behind a full grid"))
        << qPrintable(text.reason.headline);
    EXPECT_TRUE(text.reason.headline.contains("costs 288 µs"));
    EXPECT_TRUE(text.origin.startsWith("full-grid-h200.olab")) << "the file is still named";
    const QString start = text.reason.text.left(30);
    for (const PictureRequest& request : {PictureRequest(), wide(), wide(true)}) {
        const QString painted = allText(textsOf(*shown, request));
        EXPECT_TRUE(painted.contains(text.title)) << qPrintable(painted);
        EXPECT_TRUE(painted.contains(text.reason.headline));
        EXPECT_TRUE(painted.contains(start));
        EXPECT_TRUE(painted.contains(text.reason.remedy.left(30)));
        EXPECT_TRUE(painted.contains("full-grid-h200.olab"));
    }
    const QString page =
        QString::fromUtf8(pictureFormatOf(QStringLiteral("x.html")).make(*shown, PictureRequest()));
    EXPECT_TRUE(page.contains(text.title.toHtmlEscaped()));
    EXPECT_TRUE(page.contains(text.reason.headline.toHtmlEscaped()));
    EXPECT_TRUE(page.contains(start.toHtmlEscaped()));
}

TEST(PictureReason, WithoutAFindingSaysThatNoRuleExplainsIt) {
    const auto unexplained = recording::remake(*shipped("launch-bound-h200")->recording);
    unexplained->report.findings.clear();
    const PictureReason reason = reasonOf(*unexplained);
    EXPECT_TRUE(reason.headline.startsWith("No rule explains why this took ")) << qPrintable(reason.headline);
    const view::ViewDataPtr raced = shipped("race-other-stream-h200");
    ASSERT_FALSE(raced->recording->raceText().empty());
    EXPECT_TRUE(reasonOf(*raced->recording).headline.isEmpty()) << "that it raced is what there is to say";
}

TEST(PictureReason, AnExperimentOfNoPresetKeepsItsTitle) {
    EXPECT_TRUE(presetTitleOf(*simulated({{"streams", "7"}, {"iterations", "2"}})).isEmpty());
    EXPECT_FALSE(presetTitleOf(*simulated({})).isEmpty()) << "the default is one";
}

TEST(PictureShape, AWideOneIs16To9AtEveryWidth) {
    const view::ViewDataPtr shown = smallShown();
    for (const int width : {640, 1280, 1366, 1920, 3840}) {
        const QImage image = pictureImage(*shown, wide(false, width));
        EXPECT_EQ(image.width(), width);
        EXPECT_NEAR(image.height(), width * 9 / 16.0, 0.51);
    }
    const QString svg = QString::fromUtf8(pictureFormatOf(QStringLiteral("x.svg")).make(*shown, wide()));
    EXPECT_TRUE(svg.contains(QLatin1String("viewBox=\"0 0 1920 1080\""))) << qPrintable(svg.left(500));
    const QByteArray pdf = pictureFormatOf(QStringLiteral("x.pdf")).make(*shown, wide());
    static const QRegularExpression box(QStringLiteral("MediaBox \\[0 0 (\\d+)[.0-9]* (\\d+)"));
    const auto found = box.match(QString::fromLatin1(pdf));
    EXPECT_EQ(found.captured(1).toInt() * 9, found.captured(2).toInt() * 16);
}

TEST(PictureShape, ARunSlowerThanBackToBackHasNoNegativeEfficiency) {
    bool said = false;
    for (const PaintedText& text : textsOf(*shipped("pageable-h200"), wide())) {
        said = said || text.text.contains(QStringLiteral("slower than back to back: by 57.6 ms"));
        EXPECT_FALSE(text.text.contains(QStringLiteral("efficiency: -"))) << qPrintable(text.text);
    }
    EXPECT_TRUE(said);
}

TEST(PictureShape, ANarrowerOneShowsTheSameAndNotAPartOfIt) {
    const view::ViewDataPtr shown = shipped("full-grid-h200");
    const QImage narrow = pictureImage(*shown, wide(false, 1280)),
                 usual = pictureImage(*shown, wide())
                             .scaled(narrow.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    qint64 apart = 0;
    for (int y = 0; y < narrow.height(); ++y)
        for (int x = 0; x < narrow.width(); ++x)
            apart += std::abs(qGray(narrow.pixel(x, y)) - qGray(usual.pixel(x, y)));
    EXPECT_LT(double(apart) / (narrow.width() * narrow.height()), 12) << "of 255, for each pixel";
}

TEST(PictureShape, APageHasNone) {
    try {
        pictureFormatOf(QStringLiteral("x.html")).make(*smallShown(), wide());
        ADD_FAILURE() << "a page of 16:9";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_NE(error.hint().find("SVG"), std::string::npos);
    }
}

TEST(PictureShape, EverythingFitsAndNothingOverlaps) {
    std::vector<std::pair<std::string, view::ViewDataPtr>> all;
    for (const char* name : {"full-grid-h200", "two-gpus-h200", "two-gpus-p2p-h200", "nine-streams-h200",
                             "race-other-stream-h200", "ping-pong-h200", "small-behind-big-h200"})
        all.emplace_back(name, shipped(name));
    all.emplace_back("long title", std::make_shared<const view::ViewData>(simulated(
                                       {{"streams", "3"}, {"iterations", "2"}},
                                       std::string(40, 'w') + " a title of many words that go on and on " +
                                           std::string(300, 'x'))));
    for (const auto& [name, shown] : all)
        for (const bool projector : {false, true}) {
            expectReadable(PicturePainter(*shown, wide(projector)),
                           name + ", wide" + (projector ? ", projector" : ""));
            for (const int width : {1280, 1920}) {
                PictureRequest tall;
                tall.width = width;
                tall.projector = projector;
                expectReadable(PicturePainter(*shown, tall),
                               name + ", tall" + (projector ? ", projector" : ""));
            }
        }
}

TEST(PictureShape, TypeOfASlideIsReadAcrossARoom) {
    const view::ViewDataPtr shown = shipped("two-gpus-h200");
    for (const PaintedText& text : textsOf(*shown, wide(true)))
        EXPECT_GE(text.area.height(), 24) << qPrintable(text.text);
}

TEST(PictureShape, RowsThatTellLeastGiveWayAndAreCounted) {
    const auto shown =
        std::make_shared<const view::ViewData>(simulated({{"streams", "64"}, {"iterations", "1"}}));
    const QString text = allText(textsOf(*shown, wide(true)));
    for (const char* engine : {"copy H2D", "compute", "copy D2H"})
        EXPECT_TRUE(text.contains(QLatin1String(engine))) << engine;
    static const QRegularExpression left(QStringLiteral("(\\d+) of the lanes are left out for space"));
    EXPECT_GT(left.match(text).captured(1).toInt(), 30) << qPrintable(text);
    EXPECT_FALSE(allText(textsOf(*shown, {})).contains("for want of room")) << "a tall one shows all";
}

TEST(PictureShape, ALaneOfAThousandSubLanesStaysWithinTheSlide) {
    std::vector<ActivityRecord> records;
    for (int i = 0; i < 1000; ++i)
        records.push_back(deviceWork(ActivityClass::Kernel, i * 10, 100'000 + i * 10, 13));
    const view::ViewDataPtr shown = shownOf(records);
    expectReadable(PicturePainter(*shown, wide()), "thousand");
    EXPECT_TRUE(allText(textsOf(*shown, wide())).contains("there is more below than fits"));
}

TEST(ComparePicture, IsASlideOrAsHighAsItTakesAndAllOfItIsRead) {
    const std::pair<const char*, const char*> pairs[] = {{"pageable-h200", "default-h200"},
                                                         {"two-gpus-p2p-h200", "two-gpus-h200"},
                                                         {"nine-streams-h200", "one-stream-h200"}};
    for (const auto& [before, after] : pairs)
        for (const bool projector : {false, true}) {
            const view::ViewDataPtr one = shipped(before), two = shipped(after);
            const std::string what = std::string(before) + (projector ? ", projector" : "");
            ComparePainter slide({one, two}, wide(projector));
            EXPECT_EQ(slide.size(), QSize(1920, 1080)) << what;
            expectReadable(slide, what + ", wide");
            const QString words = allText(textsOn(slide));
            EXPECT_TRUE(words.contains("Before: ") && words.contains("After: ")) << what;
            EXPECT_GE(words.count("copy H2D"), 2) << what;
            if (!projector) { // whose rows are so high that kernels of nine streams side by side find no room
                EXPECT_GE(words.count("compute"), 2) << what;
            }
            PictureRequest tall;
            tall.projector = projector;
            expectReadable(ComparePainter({one, two}, tall), what + ", tall");
        }
}

int streamsOn(const std::vector<PaintedText>& texts) {
    return static_cast<int>(std::ranges::count_if(texts, [](const PaintedText& text) {
        return text.text.startsWith(QStringLiteral("stream ")) || text.text == QStringLiteral("NULL stream");
    }));
}

TEST(ComparePicture, ShowsTheStreamsOfBothWhereTheyFit) {
    const auto texts =
        textsOn(ComparePainter({shipped("null-stream-h200"), shipped("default-h200")}, wide()));
    EXPECT_EQ(streamsOn(texts), 5 + 4);
}

TEST(ComparePicture, ShowsAllStreamsOfARunOrNoneAndNoMoreThanWasRecorded) {
    const view::ViewDataPtr slow = shipped("null-stream-h200"),
                            fast = shipped("null-stream-nonblocking-h200");
    const std::vector<PaintedText> texts = textsOn(ComparePainter({slow, fast}, wide()));
    EXPECT_EQ(streamsOn(texts) % 5, 0) << "some of five look like all of them";
    for (const PaintedText& text : texts) {
        const auto said =
            QRegularExpression(QStringLiteral("\\((\\S+) ms of the (\\S+) ms that")).match(text.text);
        EXPECT_TRUE(!said.hasMatch() || said.captured(1).toDouble() <= said.captured(2).toDouble())
            << qPrintable(text.text);
    }
}

TEST(ComparePicture, SaysWhenTheSettingsAreTheSameAndNothingWhereNobodyKnowsThem) {
    const auto words = [](const view::ViewDataPtr& one, const view::ViewDataPtr& two) {
        return allText(textsOn(ComparePainter({one, two}, wide())));
    };
    const view::ViewDataPtr run = shipped("default-h200"), other = shipped("pageable-h200");
    EXPECT_TRUE(words(run, run).contains("The settings of both are the same."));
    EXPECT_TRUE(words(run, other).contains("h2d.memory: pinned"));
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment::HeldExperiment(), 1), {}, builder, {});
    const auto stranger = std::make_shared<const view::ViewData>(
        recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "theirs", true));
    EXPECT_FALSE(words(run, stranger).contains("settings of both"));
    EXPECT_FALSE(words(run, stranger).contains("Changed:"));
}

TEST(PictureRows, EmptyOnesAreLeftOutAndCounted) {
    const view::ViewDataPtr shown =
        smallShown(); // a copy in, a memset, a kernel and a copy out, one after the other
    const Interval first = shown->trace().time(0);
    PictureRequest part;
    part.range = Interval{first.begin, first.end};
    const std::vector<PaintedText> texts = textsOf(*shown, part);
    const auto has = [&](const char* label) {
        return std::ranges::any_of(texts,
                                   [&](const PaintedText& t) { return t.text == QLatin1String(label); });
    };
    const QString text = allText(texts);
    EXPECT_TRUE(has("copy H2D")) << qPrintable(text);
    EXPECT_FALSE(has("compute")) << qPrintable(text);
    EXPECT_TRUE(has("H2D")) << "the legend";
    EXPECT_FALSE(has("kernel")) << "nor in the legend what is not to be seen";
    EXPECT_TRUE(text.contains("left out: nothing happened there")) << qPrintable(text);
    const QString page = QString::fromUtf8(pictureFormatOf(QStringLiteral("x.html")).make(*shown, part));
    EXPECT_FALSE(page.contains("\"label\":\"compute\""));
    EXPECT_TRUE(page.contains("left out: nothing happened there"));
    EXPECT_FALSE(allText(textsOf(*shown, {})).contains("left out"));
}

TEST(PictureNotice, SaysWhereThePictureIsAndOpensIt) {
    QTemporaryDir folder;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    window.resize(1280, 720);
    window.show();
    const QSignalSpy shown(&window, &MainWindow::recordingShown), made(&window, &MainWindow::pictureMade);
    window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/two-streams-h200.olab"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience));
    const QString path = folder.filePath(QStringLiteral("saved.svg"));
    auto* notice = window.findChild<NoticeBar*>();
    EXPECT_FALSE(notice->isVisible());
    window.parts().pictures.write(path, PicturePart::WholeRun);
    ASSERT_TRUE(QTest::qWaitFor([&] { return made.count() > 0; }, kPatience));
    ASSERT_TRUE(notice->isVisible());
    EXPECT_EQ(notice->text(), QStringLiteral("Saved to ") + path);
    QStringList opened;
    const auto openAll = [&](bool works) {
        notice->setOpener([&opened, works](const QUrl& url) {
            opened << url.toLocalFile();
            return works;
        });
        for (auto* button : notice->findChildren<QPushButton*>())
            button->click();
    };
    openAll(true);
    EXPECT_EQ(opened, (QStringList{path, folder.path()}));
    EXPECT_EQ(window.errors().count(), 0);
    openAll(false);
    EXPECT_TRUE(window.errors().lastText().contains("Nothing opens " + folder.path()));
}

TEST(PictureNotice, OnAProjectorThePictureIsASlide) {
    QTemporaryDir folder;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    const QSignalSpy shown(&window, &MainWindow::recordingShown), made(&window, &MainWindow::pictureMade);
    window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/two-streams-h200.olab"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience));
    window.setProjector(true);
    const QString path = folder.filePath(QStringLiteral("slide.png"));
    window.parts().pictures.write(path, PicturePart::WholeRun);
    window.setProjector(false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return made.count() > 0; }, kPatience));
    EXPECT_EQ(QImage(path).size(), QSize(1920, 1080));
}
