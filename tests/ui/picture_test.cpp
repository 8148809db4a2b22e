// Pictures to take elsewhere: what stands in them, that they are well formed whatever the names are, and that
// they show what the timeline shows.
#include "patience.h"
#include "shown_fixture.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/format.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>
#include <olab/ui/theme.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/view/selection.h>

#include <base/plain_text.h>
#include <pictures/lane_figure.h>
#include <pictures/picture_text.h>
#include <window/picture_export.h>
#include <window/window_parts.h>

#include <QClipboard>
#include <QCryptographicHash>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// A simulated run of few activities, as the program makes it.
std::shared_ptr<recording::Recording>
simulated(const std::vector<std::pair<const char*, const char*>>& settings) {
    experiment::HeldExperiment experiment;
    for (const auto& [key, value] : settings)
        experiment::setOption(experiment, key, value);
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment, 1), {}, builder, {});
    return recording::makeRecording({builder.finish(), experiment::shareExperiment(experiment), std::nullopt},
                                    "Run 7", true);
}

view::ViewDataPtr shownRun(const std::vector<std::pair<const char*, const char*>>& settings = {
                               {"streams", "2"}, {"iterations", "2"}}) {
    return std::make_shared<const view::ViewData>(simulated(settings));
}

/// Names from anywhere: of tags, quotes, letters of the world, and longer than anybody reads.
QString hostileName() {
    return QStringLiteral("</script><script>alert('1')</script>\"&<b>größe 核心 \x01\x1b") + QChar(0xd800) +
           QChar(0x2028) + QString(10'000, QLatin1Char('w'));
}

view::ViewDataPtr hostileShown(SourceKind source = SourceKind::Imported) {
    TraceBuilder builder;
    builder.add(DeviceRecord{.device = 0, .name = hostileName().toStdString(), .uuid = {}, .smCount = 1});
    builder.add(ContextRecord{1, 0, 7});
    builder.add(ProvenanceRecord{source, hostileName().toStdString(), "1", {}});
    for (int i = 0; i < 4; ++i) {
        ActivityRecord kernel =
            deviceWork(ActivityClass::Kernel, 1'000'000 + i * 200'000, 1'150'000 + i * 200'000, 13);
        kernel.name = builder.intern(hostileName().toStdString());
        builder.add(kernel);
        builder.add(
            deviceWork(ActivityClass::MemcpyH2D, 1'050'000 + i * 200'000, 1'100'000 + i * 200'000, 14));
    }
    return std::make_shared<const view::ViewData>(recording::makeRecording(
        {builder.finish(), nullptr, std::nullopt}, hostileName().toStdString(), false));
}

QByteArray pictureOfFormat(const char* ending, const view::ViewData& shown,
                           const PictureRequest& request = {}) {
    return pictureFormatOf(QStringLiteral("x.") + QLatin1String(ending)).make(shown, request);
}

/// All text of an XML document, a line for each piece. Fails the test when it is not well formed.
QStringList textOfXml(const QByteArray& bytes) {
    QXmlStreamReader reader(bytes);
    QStringList found;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters && !reader.isWhitespace())
            found << reader.text().toString();
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return found;
}

/// The parts of a page that its reader runs and reads.
struct Page {
    explicit Page(const QByteArray& bytes)
        : all(QString::fromUtf8(bytes)) {
        static const QRegularExpression scripts(
            QStringLiteral(
                "<script id=\"data\" type=\"application/(json|zlib)\">(.*)</script>\n<script>(.*)</script>"),
            QRegularExpression::DotMatchesEverythingOption);
        const auto match = scripts.match(all);
        QByteArray json = match.captured(2).toUtf8();
        if (match.captured(1) == QLatin1String("zlib"))
            json = qUncompress(QByteArray("\x00\x10\x00\x00", 4) + QByteArray::fromBase64(json));
        data = QJsonDocument::fromJson(json, &error).object();
        script = match.captured(3);
    }
    QString all, script;
    QJsonParseError error{};
    QJsonObject data;
};

/// What the streams of a PDF hold, unpacked.
QString streamsOf(const QByteArray& pdf) {
    QStringList contents;
    for (qsizetype at = pdf.indexOf("\nstream\n"); at >= 0; at = pdf.indexOf("\nstream\n", at + 1)) {
        const qsizetype begin = at + 8, end = pdf.indexOf("endstream", begin);
        const QByteArray packed = pdf.mid(begin, end - begin);
        if (packed.startsWith('x')) // zlib
            contents << QString::fromLatin1(qUncompress(QByteArray("\x00\x10\x00\x00", 4) + packed));
        else
            contents << QString::fromLatin1(packed);
    }
    return contents.join(QLatin1Char('\n'));
}

/// The words of a PDF as a reader of it finds them: glyphs by the fonts' own tables of letters. Once with
/// each font's, one after the other; those of the other font read as nonsense.
QString textOfPdf(const QByteArray& pdf) {
    const QString streams = streamsOf(pdf);
    static const QRegularExpression tables(QStringLiteral("<0001> <[0-9A-Fa-f]{4}> \\[([^\\]]*)\\]"));
    static const QRegularExpression glyphs(QStringLiteral("<([0-9A-Fa-f]{4})> Tj"));
    QString text;
    for (const auto& table : tables.globalMatch(streams)) {
        const QStringList letters = table.captured(1).split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const auto& glyph : glyphs.globalMatch(streams)) {
            const qsizetype at = glyph.captured(1).toInt(nullptr, 16) - 1;
            text +=
                at >= 0 && at < letters.size() ? QChar(letters[at].mid(1, 4).toUShort(nullptr, 16)) : u'?';
        }
    }
    return text.replace(QLatin1Char('\t'), QLatin1Char(' '));
}

} // namespace

TEST(Picture, SvgHoldsItsWordsAsText) {
    const view::ViewDataPtr shown = shownRun();
    const QByteArray svg = pictureOfFormat("svg", *shown);
    const QString text = textOfXml(svg).join(QLatin1Char('\n'));
    const analysis::Verdict& verdict = shown->recording->report.verdicts.front();
    EXPECT_TRUE(text.contains("Run 7"));
    EXPECT_TRUE(text.contains("SIMULATED"));
    EXPECT_TRUE(text.contains("NVIDIA H200"));
    EXPECT_TRUE(text.contains("streams=2  iterations=2"));
    EXPECT_TRUE(text.contains("H2D | kernel: ")) << text.toStdString();
    EXPECT_TRUE(text.contains(sentence(verdict.text).left(20))) << text.toStdString();
    EXPECT_TRUE(text.contains("efficiency: "));
    EXPECT_TRUE(text.contains("copy H2D")) << "the lanes have names";
    for (const char* const cls : {"kernel", "H2D", "D2H", "memset"})
        EXPECT_TRUE(text.contains(QLatin1String(cls))) << cls;
    EXPECT_FALSE(svg.contains("<image")) << "shapes, not pixels";
}

TEST(Picture, EventsAreMarksAndTheirSignsAreExplained) {
    const auto explains = [](const char* deps) {
        const QByteArray svg =
            pictureOfFormat("svg", *shownRun({{"streams", "2"}, {"kernel.stream", "other"}, {"deps", deps}}));
        return textOfXml(svg).contains(QStringLiteral("event recorded, end of a wait for one"));
    };
    EXPECT_TRUE(explains("copy-to-kernel"));
    EXPECT_FALSE(explains("none"));
}

TEST(Picture, TheSameRequestGivesTheSameBytes) {
    const view::ViewDataPtr one = shownRun(), other = shownRun();
    static const QRegularExpression date(QStringLiteral("/CreationDate \\([^)]*\\)"));
    for (const PictureFormat& format : pictureFormats())
        for (const bool dark : {false, true}) {
            PictureRequest request;
            request.dark = dark;
            const auto stable = [&](const view::ViewData& shown) {
                return QString::fromLatin1(format.make(shown, request)).remove(date);
            };
            const QString first = stable(*one);
            EXPECT_GT(first.size(), 5'000) << format.ending;
            EXPECT_TRUE(first == stable(*one)) << format.ending << ", again";
            EXPECT_TRUE(first == stable(*other)) << format.ending << ", of the same run made again";
        }
}

TEST(Picture, ThemesAndWidthsDiffer) {
    const view::ViewDataPtr shown = shownRun();
    PictureRequest dark, wide;
    dark.dark = true;
    wide.width = 1920;
    EXPECT_NE(pictureOfFormat("svg", *shown), pictureOfFormat("svg", *shown, dark));
    EXPECT_EQ(pictureImage(*shown, wide).width(), 1920);
    wide.ratio = 2;
    EXPECT_EQ(pictureImage(*shown, wide).width(), 3840);
    EXPECT_LT(pictureImage(*shown, dark).pixelColor(2, 2).lightness(), 60);
}

TEST(Picture, WidthsOutOfBoundsAreRefused) {
    const view::ViewDataPtr shown = smallShown();
    for (const int width : {kMinPictureWidth - 1, kMaxPictureWidth + 1}) {
        PictureRequest request;
        request.width = width;
        EXPECT_THROW(pictureImage(*shown, request), Error) << width;
    }
}

TEST(Picture, EachOriginHasItsBadge) {
    const auto badges = [](SourceKind source) {
        return textOfXml(pictureOfFormat("svg", *hostileShown(source)));
    };
    EXPECT_TRUE(badges(SourceKind::Imported).contains("IMPORTED"));
    EXPECT_TRUE(badges(SourceKind::Cuda).contains("RECORDED"));
    EXPECT_TRUE(badges(SourceKind::Simulated).contains("SIMULATED"));
    EXPECT_EQ(badges(SourceKind::Simulated).count("SIMULATED"), 2) << "beside the title and in the lanes";
}

TEST(Picture, ARaceIsSaid) {
    const view::ViewDataPtr shown =
        shownRun({{"streams", "2"}, {"kernel.stream", "other"}, {"iterations", "2"}});
    ASSERT_FALSE(shown->recording->raceText().empty());
    EXPECT_TRUE(textOfXml(pictureOfFormat("svg", *shown)).join(' ').contains("The pipeline raced"));
    EXPECT_TRUE(QString::fromUtf8(pictureOfFormat("html", *shown)).contains("The pipeline raced"));
    for (const char* word : {"efficiency", "proved", "confirmed"})
        EXPECT_FALSE(textOfXml(pictureOfFormat("svg", *shown)).join(' ').contains(QLatin1String(word)))
            << word;
}

TEST(Picture, APartSaysThatItIsOne) {
    const view::ViewDataPtr shown = shownRun();
    PictureRequest request;
    const Interval span = shown->trace().span();
    request.range = Interval{span.begin + span.length() / 4, span.begin + span.length() / 2};
    const auto text = [&](const PictureRequest& r) {
        return textOfXml(pictureOfFormat("svg", *shown, r)).join(' ');
    };
    EXPECT_TRUE(text(request).contains("A part of the run, from "));
    EXPECT_TRUE(text({}).contains("The whole run, "));
    const Page part(pictureOfFormat("html", *shown, request)), whole(pictureOfFormat("html", *shown));
    EXPECT_LT(part.data["begins"].toArray().size(), whole.data["begins"].toArray().size());
    EXPECT_EQ(part.data["length"].toInteger(), request.range->length());
}

TEST(Picture, HostileNamesStayText) {
    const view::ViewDataPtr shown = hostileShown();
    const QString svg = textOfXml(pictureOfFormat("svg", *shown)).join('\n');
    EXPECT_TRUE(svg.contains("</script><script>")) << "as letters";
    EXPECT_TRUE(svg.contains("größe 核心")) << svg.left(3000).toStdString();
    EXPECT_LT(svg.size(), 20'000) << "a long name is cut";
    EXPECT_GT(pictureOfFormat("pdf", *shown).size(), 5'000);
    EXPECT_GT(pictureOfFormat("png", *shown).size(), 5'000);
}

TEST(Picture, PageHoldsHostileNamesAsData) {
    const view::ViewDataPtr shown = hostileShown();
    const Page page(pictureOfFormat("html", *shown));
    ASSERT_EQ(page.error.error, QJsonParseError::NoError) << page.error.errorString().toStdString();
    EXPECT_EQ(page.all.count("<script"), 2) << "its data and its own script";
    EXPECT_EQ(page.all.count("</script>"), 2);
    EXPECT_FALSE(page.all.contains("<b>"));
    QStringList texts;
    for (const QJsonValue& text : page.data["texts"].toArray())
        texts << text.toString();
    const QString name = fromText(shown->trace().text(shown->trace()[0].name)).left(300);
    ASSERT_TRUE(name.startsWith("</script><script>")) << name.toStdString();
    EXPECT_TRUE(texts.contains(printable(name))) << "the name is there, unharmed";
    EXPECT_TRUE(page.all.contains("&lt;/script&gt;&lt;script&gt;alert(")) << "the title too";
}

TEST(Picture, PageNeedsNothingButItself) {
    const view::ViewDataPtr shown = shownRun();
    const Page page(pictureOfFormat("html", *shown));
    for (const char* const outside :
         {"src=", "href=", "http:", "https:", "url(", "@import", "fetch(", "import("})
        EXPECT_FALSE(page.all.contains(QLatin1String(outside))) << outside;
    const QString hash = QString::fromLatin1(
        QCryptographicHash::hash(page.script.toUtf8(), QCryptographicHash::Sha256).toBase64());
    EXPECT_TRUE(page.all.contains("default-src 'none'; script-src 'sha256-" + hash + "'"))
        << "no other script can run";
}

TEST(Picture, PageHoldsEveryActivityExactly) {
    const view::ViewDataPtr shown = randomShown(5, 400);
    const Page page(pictureOfFormat("html", *shown));
    const QJsonArray begins = page.data["begins"].toArray(), ends = page.data["ends"].toArray();
    ASSERT_EQ(static_cast<std::size_t>(begins.size()), shown->trace().size());
    for (qsizetype i = 0; i < begins.size(); ++i) {
        const Interval time = shown->trace().time(static_cast<ActivityIndex>(i));
        EXPECT_EQ(begins[i].toInteger() + shown->limits().begin, time.begin);
        EXPECT_EQ(ends[i].toInteger() + shown->limits().begin, time.end);
    }
    std::vector<int> drawn(shown->trace().size());
    for (const QJsonValue& row : page.data["rows"].toArray())
        for (const QJsonValue& strip : row["strips"].toArray())
            for (const QJsonValue& member : strip.toArray())
                ++drawn[static_cast<std::size_t>(member.toInt())];
    for (ActivityIndex i = 0; i < drawn.size(); ++i)
        EXPECT_EQ(static_cast<std::size_t>(drawn[i]), shown->index.stripsWith(i).size()) << i;
}

TEST(Picture, TooMuchForAPageIsSaidAndFitsOtherFormats) {
    std::vector<ActivityRecord> records;
    for (Ns i = 0; i <= static_cast<Ns>(kMaxPageActivities); ++i)
        records.push_back(deviceWork(i % 3 == 0 ? ActivityClass::Memset : ActivityClass::Kernel, i * 1000,
                                     i * 1000 + 10 + i % 900, 13 + static_cast<std::uint32_t>(i % 8)));
    const view::ViewDataPtr shown = shownOf(records);
    PictureRequest all;
    all.range = shown->limits();
    try {
        pictureOfFormat("html", *shown, all);
        ADD_FAILURE() << "a page of " << records.size() << " activities that were asked for";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "too-much-for-html");
        EXPECT_NE(std::string(error.what()).find("200001"), std::string::npos) << error.what();
    }
    const Page most(pictureOfFormat("html", *shown));
    EXPECT_TRUE(
        most.all.contains("A page holds 200000 activities, and this run has 200001: below is a picture"));
    EXPECT_TRUE(most.all.contains("A part of the run, from ")) << "what of it can be zoomed";
    EXPECT_TRUE(most.all.contains("<svg")) << "the picture of the whole";
    EXPECT_EQ(most.data["begins"].toArray().size(), 200'000);
    EXPECT_LT(pictureOfFormat("svg", *shown).size(), 3'000'000) << "columns, not activities";
    EXPECT_LT(pictureOfFormat("pdf", *shown).size(), 2'000'000);
    PictureRequest part;
    part.range = Interval{0, 1'000'000};
    EXPECT_EQ(Page(pictureOfFormat("html", *shown, part)).data["begins"].toArray().size(), 1000);
}

TEST(Picture, PageIsLightOrDarkAsItsReaderIsUnlessDarkWasAskedFor) {
    const view::ViewDataPtr shown = shownRun();
    PictureRequest request;
    const Page page(pictureOfFormat("html", *shown, request));
    EXPECT_TRUE(page.all.contains("<html lang=\"en\">"));
    EXPECT_TRUE(page.all.contains("@media (prefers-color-scheme:dark){:root{--window:"));
    const QJsonArray looks = page.data["looks"].toArray();
    ASSERT_EQ(looks.size(), 2);
    for (const bool dark : {false, true}) {
        const Theme& theme = Theme::of(dark, false);
        const QJsonObject look = looks[dark ? 1 : 0].toObject();
        EXPECT_EQ(look["base"].toString(), theme.base.name());
        for (std::size_t c = 0; c < view::kLooks; ++c)
            EXPECT_EQ(look["classes"][static_cast<int>(c)]["fill"].toString(), theme.looks[c].name()) << c;
    }
    request.dark = true;
    EXPECT_TRUE(QString::fromUtf8(pictureOfFormat("html", *shown, request))
                    .contains("<html lang=\"en\" data-look=\"dark\">"));
}

TEST(Picture, PageGoesFromAnActivityWhereJAndKGo) {
    const view::ViewDataPtr shown = shownRun();
    const Page page(pictureOfFormat("html", *shown));
    view::Selection selection;
    selection.setShown(shown);
    int known = 0;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i) {
        selection.select(i);
        for (const auto& [column, direction] : {std::pair{"before", -1}, {"after", +1}}) {
            const auto to = selection.followed(direction);
            EXPECT_EQ(page.data[QLatin1String(column)][static_cast<int>(i)].toInt(),
                      to ? static_cast<int>(*to) : -1);
            known += to ? 1 : 0;
        }
    }
    EXPECT_GT(known, 20);
}

TEST(Picture, PdfHoldsItsWordsAsText) {
    const view::ViewDataPtr shown = shownRun();
    const QString text = textOfPdf(pictureOfFormat("pdf", *shown));
    for (const char* const words : {"Run 7", "SIMULATED", "H2D | kernel: ", "streams=2", "iterations=2",
                                    "NVIDIA H200", "The whole run", "copy H2D"})
        EXPECT_TRUE(text.contains(QLatin1String(words))) << words << "\n" << text.left(2000).toStdString();
    const QString verdict = sentence(shown->recording->report.verdicts.front().text);
    EXPECT_TRUE(text.contains(verdict.left(20))) << verdict.toStdString();
}

TEST(Picture, FoldedGroupsStayFolded) {
    const view::ViewDataPtr shown = shownRun();
    PictureRequest folded;
    folded.rows.folded = {QStringLiteral("gpu0/streams"), QStringLiteral("host")};
    EXPECT_TRUE(textOfXml(pictureOfFormat("svg", *shown)).contains("stream 13"));
    EXPECT_FALSE(textOfXml(pictureOfFormat("svg", *shown, folded)).contains("stream 13"));
    EXPECT_FALSE(Page(pictureOfFormat("html", *shown, folded)).all.contains("\"label\":\"stream 13\""));
}

TEST(Picture, HiddenRowsAreLeftOutAndCounted) {
    const view::ViewDataPtr shown = shownRun();
    PictureRequest request;
    request.rows.hidden = {QStringLiteral("gpu0/stream 13"), QStringLiteral("gpu0/stream 4711")};
    const QStringList text = textOfXml(pictureOfFormat("svg", *shown, request));
    EXPECT_FALSE(text.contains("stream 13"));
    EXPECT_TRUE(text.contains("stream 14"));
    EXPECT_TRUE(text.join(' ').contains("1 of the lanes is left out"));
}

TEST(Picture, RowsAreWhereTheyAreInTheWindow) {
    const view::ViewDataPtr shown = shownRun();
    PictureRequest request;
    request.rows.pinned = {QStringLiteral("gpu0/stream 14")};
    request.rows.order[QStringLiteral("gpu0")] = {QStringLiteral("gpu0/copy D2H"),
                                                  QStringLiteral("gpu0/copy H2D")};
    request.rows.heights[QStringLiteral("gpu0/compute")] = 300;
    const QJsonArray rows = Page(pictureOfFormat("html", *shown, request)).data["rows"].toArray();
    QStringList labels;
    int compute = 0, copy = 0;
    for (const QJsonValue& row : rows) {
        labels << row["label"].toString();
        compute = labels.back() == QLatin1String("compute") ? row["height"].toInt() : compute;
        copy = labels.back() == QLatin1String("copy H2D") ? row["height"].toInt() : copy;
    }
    EXPECT_EQ(labels.mid(0, 2), (QStringList{QStringLiteral("Pinned"), QStringLiteral("stream 14")}));
    EXPECT_LT(labels.indexOf(QStringLiteral("copy D2H")), labels.indexOf(QStringLiteral("copy H2D")));
    EXPECT_GT(compute, 3 * copy / 2);
    const QStringList svg = textOfXml(pictureOfFormat("svg", *shown, request));
    EXPECT_LT(svg.indexOf(QStringLiteral("copy D2H")), svg.indexOf(QStringLiteral("copy H2D")));
}

TEST(Picture, UnknownEndingsNameTheKnownOnes) {
    for (const char* const name : {"x.jpg", "x", "svg"})
        try {
            (void)pictureFormatOf(QLatin1String(name));
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Usage);
            EXPECT_NE(error.hint().find(".png, .svg, .pdf, .html"), std::string::npos) << error.hint();
        }
    EXPECT_STREQ(pictureFormatOf(QStringLiteral("a.b/X.SVG")).ending, "svg");
}

namespace {

/// Whether the foot of a strip is a tick exactly where something short is, and each fill as high as it is
/// busy.
void expectColumns(const QImage& image, int foot, const view::Strip& strip, const view::ViewColumns& columns,
                   int height, const Theme& theme) {
    const view::StripView view(strip, columns, height);
    for (int px = 0; px < columns.count(); ++px) {
        if (view.coveredByBar(px))
            continue;
        const view::ColumnFill fill = view.column(px);
        const int x = LaneFigure::gutterOf({}) + px;
        ASSERT_EQ(image.pixel(x, foot) == theme.tick.rgb(), fill.tick) << px;
        for (int y = 1, class0 = 0; y <= fill.total; ++y) {
            int below = 0;
            for (class0 = 0; class0 < static_cast<int>(view::kLooks); ++class0)
                if ((below += fill.height[static_cast<std::size_t>(class0)]) >= y)
                    break;
            ASSERT_EQ(image.pixel(x, foot - y), theme.looks[static_cast<std::size_t>(class0)].rgb())
                << "column " << px << ", row " << y;
        }
        if (fill.tick && fill.total < height) {
            const QRgb above = image.pixel(x, foot - fill.total - 1);
            ASSERT_TRUE(above == theme.base.rgb() || above == theme.grid.rgb()) << px;
        }
    }
}

} // namespace

TEST(Picture, LanesShowWhatTheTimelineShows) {
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
        const view::ViewDataPtr shown = randomShown(seed, 3000);
        PictureRequest request;
        request.dark = seed == 2;
        const LaneFigure figure(*shown, request, 900, QFont());
        QImage image(900, figure.height(), QImage::Format_RGB32);
        QPainter painter(&image);
        figure.paint(painter, {0, 0});
        painter.end();
        view::Viewport view;
        view.setLimits(shown->limits());
        view.setWidth(900 - LaneFigure::gutterOf({}));
        view.fit();
        const view::ViewColumns columns(view);
        const Theme& theme = request.dark ? Theme::darkTheme() : Theme::light();
        int looked = 0;
        for (const Row& row : figure.lanes().rows.rows) {
            if (!row.lane)
                continue;
            const int drawn = std::max(row.stripHeight - (row.lane->depthCount > 1 ? 1 : 0), 3);
            int top = LaneFigure::rulerHeightOf({}) + row.top + 3;
            for (const view::Strip& strip : shown->index.strips(row.lane->id)) {
                expectColumns(image, top + drawn - 1, strip, columns, drawn - 1, theme);
                top += row.stripHeight;
                ++looked;
            }
        }
        EXPECT_GT(looked, 8);
    }
}

namespace {

struct OpenWindow {
    OpenWindow() {
        const QString path = folder.filePath(QStringLiteral("run.olab"));
        recording::saveRecording(*simulated({{"streams", "2"}, {"iterations", "4"}}), path.toStdString());
        window.resize(1280, 720);
        window.show();
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.open(path);
        opened = QTest::qWaitFor([&] { return spy.count() > 0; }, kPatience);
    }
    QByteArray exported(const QString& name, PicturePart part) {
        const QSignalSpy spy(&window, &MainWindow::pictureMade);
        window.parts().pictures.write(folder.filePath(name), part);
        EXPECT_TRUE(QTest::qWaitFor([&] { return spy.count() > 0; }, kPatience));
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QTemporaryDir folder;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    bool opened = false;
};

} // namespace

TEST(Picture, TheWindowExportsTheViewOrTheWholeRun) {
    OpenWindow on;
    ASSERT_TRUE(on.opened);
    on.window.timeline().canvas().zoomAt(700, 0.2);
    const QString view = textOfXml(on.exported("view.svg", PicturePart::View)).join(' ');
    const QString whole = textOfXml(on.exported("whole.svg", PicturePart::WholeRun)).join(' ');
    EXPECT_TRUE(view.contains("A part of the run")) << view.left(2000).toStdString();
    EXPECT_TRUE(whole.contains("The whole run"));
    EXPECT_TRUE(view.contains("SIMULATED"));
    for (const PictureFormat& format : pictureFormats())
        EXPECT_GT(
            on.exported(QStringLiteral("all.") + QLatin1String(format.ending), PicturePart::View).size(),
            5'000)
            << format.ending;
}

TEST(Picture, TheWindowCopiesAPicture) {
    OpenWindow on;
    ASSERT_TRUE(on.opened);
    const QSignalSpy spy(&on.window, &MainWindow::pictureMade);
    on.window.parts().pictures.copy(PicturePart::View);
    ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() > 0; }, kPatience));
    const QImage copied = QGuiApplication::clipboard()->image();
    EXPECT_GE(copied.width(), 2 * 900) << "sharp enough for a slide";
    EXPECT_GT(copied.height(), 600);
}

/// The window goes on while a picture is made, and one that is being made when it closes is finished.
TEST(Picture, TheWindowDoesNotWaitForItsPictures) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("last.svg"));
    {
        OpenWindow on;
        ASSERT_TRUE(on.opened);
        const QSignalSpy made(&on.window, &MainWindow::pictureMade);
        on.window.parts().pictures.write(path, PicturePart::View);
        EXPECT_EQ(made.count(), 0) << "its end is told later";
        on.window.parts().pictures.write(path, PicturePart::View); // one at a time: said in the log
    }
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_FALSE(textOfXml(file.readAll()).isEmpty());
}

TEST(Picture, AFileThatCannotBeWrittenIsAnError) {
    OpenWindow on;
    ASSERT_TRUE(on.opened);
    const QSignalSpy errors(&on.window, &MainWindow::errorShown);
    for (const char* name : {"none/there.svg", "picture.bmp"}) {
        const int before = static_cast<int>(errors.count());
        on.window.parts().pictures.write(on.folder.filePath(QString::fromLatin1(name)), PicturePart::View);
        EXPECT_TRUE(QTest::qWaitFor([&] { return errors.count() > before; }, kPatience)) << name;
    }
    ASSERT_EQ(errors.count(), 2);
    EXPECT_EQ(errors.at(0).at(0).toInt(), 2);
}
