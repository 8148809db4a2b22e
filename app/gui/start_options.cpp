#include "start_options.h"

#include <olab/trace/error.h>
#include <olab/ui/format.h>
#include <olab/ui/picture.h>
#include <olab/ui/texts.h>

#include <QCommandLineParser>
#include <QCoreApplication>

namespace olab::gui {

namespace {

[[noreturn]] void refuse(const QString& option, const QString& value, const QString& allowed) {
    throw Error(ErrorKind::Usage, "bad-value",
                QStringLiteral("--%1 cannot be \"%2\".").arg(option, value).toStdString(),
                QStringLiteral("Allowed: %1.").arg(allowed).toStdString());
}

/// The index of the option's value among `allowed`.
int choiceOf(const QCommandLineParser& parser, const QString& option, const QStringList& allowed) {
    const QString value = parser.value(option);
    const qsizetype at = allowed.indexOf(value);
    if (at < 0)
        refuse(option, value, allowed.join(QStringLiteral(", ")));
    return static_cast<int>(at);
}

QString pageOf(const QCommandLineParser& parser) {
    const QStringList pages = ui::pagesAtStart();
    return pages[choiceOf(parser, QStringLiteral("page"), pages)];
}

/// By ColourBy.
QStringList colourings() {
    QStringList keys;
    for (const view::ColourByRow& row : view::colourByRows())
        keys << ui::fromText(row.key);
    return keys;
}

/// ".png, .svg, .pdf or .html"
QString pictureEndings() {
    QStringList endings;
    for (const ui::PictureFormat& format : ui::pictureFormats())
        endings << QLatin1Char('.') + QLatin1String(format.ending);
    const QString last = endings.takeLast();
    return endings.join(QStringLiteral(", ")) + QStringLiteral(" or ") + last;
}

QSize sizeOf(const QCommandLineParser& parser) {
    const QString value = parser.value(QStringLiteral("size"));
    const QSize size(value.section(QLatin1Char('x'), 0, 0).toInt(),
                     value.section(QLatin1Char('x'), 1).toInt());
    if (size.width() < 640 || size.height() < 400 || size.width() > 16384 || size.height() > 16384)
        refuse(QStringLiteral("size"), value,
               QStringLiteral("WIDTHxHEIGHT from 640x400, for example 1280x720"));
    return size;
}

std::pair<qint64, qint64> zoomOf(const QCommandLineParser& parser) {
    const QString value = parser.value(QStringLiteral("zoom"));
    bool fromReads = false, toReads = false;
    const qint64 from = value.section(QLatin1Char(':'), 0, 0).toLongLong(&fromReads);
    const qint64 to = value.section(QLatin1Char(':'), 1).toLongLong(&toReads);
    if (!fromReads || !toReads || from >= to)
        refuse(QStringLiteral("zoom"), value, QStringLiteral("FROM:TO in ns, for example 0:2000000"));
    return {from, to};
}

/// "FROM:TO"; either may be missing.
std::pair<std::optional<qint64>, std::optional<qint64>> partOf(const QCommandLineParser& parser) {
    const QString value = parser.value(QStringLiteral("part"));
    const auto end = [&](int which) -> std::optional<qint64> {
        const QString text = value.section(QLatin1Char(':'), which, which);
        bool reads = false;
        const qint64 time = text.toLongLong(&reads);
        if (text.isEmpty())
            return std::nullopt;
        if (!reads)
            refuse(QStringLiteral("part"), value,
                   QStringLiteral("FROM:TO in ns, for example 0:2000000, 500: or :2000000"));
        return time;
    };
    return {end(0), end(1)};
}

int widthOf(const QCommandLineParser& parser, ui::PictureShape shape) {
    bool reads = false;
    const QString value = parser.value(QStringLiteral("width"));
    if (!parser.isSet(QStringLiteral("width")))
        return shape == ui::PictureShape::Wide ? ui::kWideWidth : ui::PictureRequest().width;
    const int width = value.toInt(&reads);
    if (!reads || width < ui::kMinPictureWidth || width > ui::kMaxPictureWidth)
        refuse(QStringLiteral("width"), value,
               QStringLiteral("%1 to %2 pixels").arg(ui::kMinPictureWidth).arg(ui::kMaxPictureWidth));
    return width;
}

quint32 selectionOf(const QCommandLineParser& parser) {
    bool reads = false;
    const QString value = parser.value(QStringLiteral("select"));
    const quint32 index = value.toUInt(&reads);
    if (!reads)
        refuse(QStringLiteral("select"), value, QStringLiteral("the number of an activity"));
    return index;
}

void addOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        QStringLiteral("Did my copies, memsets and kernels really run at the same time, and if not, why?"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        QStringLiteral("Recordings and traces to open, each as a run, or a folder of them as a table."),
        QStringLiteral("[FILE...]"));
    parser.addOptions({
        {QStringLiteral("demo"), QStringLiteral("Run the default experiment on the GPU; without one, open "
                                                "the recording that ships with the program.")},
        {QStringLiteral("run"), QStringLiteral("Start a run at once.")},
        {QStringLiteral("backend"), QStringLiteral("auto, cuda or sim."), QStringLiteral("NAME"),
         QStringLiteral("auto")},
        {QStringLiteral("preset"), QStringLiteral("Load this preset (olab presets lists them)."),
         QStringLiteral("ID")},
        {QStringLiteral("screenshot"),
         QStringLiteral("Write a picture of the window once something is shown."), QStringLiteral("OUT.png")},
        {QStringLiteral("picture"),
         QStringLiteral("Write a picture of FILE for others (%1) and end.").arg(pictureEndings()),
         QStringLiteral("OUT")},
        {QStringLiteral("against"),
         QStringLiteral("On that picture another recording below FILE, and what differs."),
         QStringLiteral("FILE2")},
        {QStringLiteral("width"),
         QStringLiteral("How wide that picture is, in pixels: 1280 if not given, 1920 with 16:9."),
         QStringLiteral("N")},
        {QStringLiteral("format"),
         QStringLiteral("tall: as high as it takes to show every row; 16:9: for a slide."),
         QStringLiteral("NAME"), QStringLiteral("tall")},
        {QStringLiteral("part"), QStringLiteral("Only this part of it, in ns from the first device work."),
         QStringLiteral("FROM:TO")},
        {QStringLiteral("size"), QStringLiteral("Size of the window."), QStringLiteral("WxH")},
        {QStringLiteral("theme"), QStringLiteral("light or dark."), QStringLiteral("NAME")},
        {QStringLiteral("colour-by"),
         QStringLiteral("What bars are coloured by: %1.").arg(colourings().join(QStringLiteral(", "))),
         QStringLiteral("WHAT")},
        {QStringLiteral("projector"),
         QStringLiteral("Type, lines and contrast that are read across a room.")},
        {QStringLiteral("page"),
         ui::pagesAtStart().mid(0, ui::pagesAtStart().size() - 1).join(QStringLiteral(", ")) +
             QStringLiteral(" or %1.").arg(ui::pagesAtStart().back()),
         QStringLiteral("NAME")},
        {QStringLiteral("zoom"), QStringLiteral("Show this part, in ns from the first device work."),
         QStringLiteral("FROM:TO")},
        {QStringLiteral("select"), QStringLiteral("Select this activity."), QStringLiteral("N")},
        {QStringLiteral("exit-after-screenshot"), QStringLiteral("yes or no."), QStringLiteral("ANSWER"),
         QStringLiteral("yes")},
    });
    QCommandLineOption timing(QStringLiteral("time-runs"),
                              QStringLiteral("Run N times, say how long each took, and end; N:changing runs "
                                             "another experiment each time."),
                              QStringLiteral("N[:changing]"));
    timing.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(timing);
}

void readTiming(const QCommandLineParser& parser, StartOptions& options) {
    if (!parser.isSet(QStringLiteral("time-runs")))
        return;
    const QString value = parser.value(QStringLiteral("time-runs"));
    options.timedRuns = value.section(QLatin1Char(':'), 0, 0).toInt();
    options.timeChanges = value.endsWith(QStringLiteral(":changing"));
    if (options.timedRuns < 1)
        refuse(QStringLiteral("time-runs"), value, QStringLiteral("5 or 5:changing"));
}

/// OLAB_RUN_MEMORY, in MiB.
std::uint64_t wantedRunMemory() {
    constexpr qulonglong kMostMiB = 1 << 20;
    const QByteArray text = qgetenv("OLAB_RUN_MEMORY");
    if (text.isEmpty())
        return ui::kRunMemory;
    bool reads = false;
    const qulonglong mebibytes = text.toULongLong(&reads);
    if (!reads || mebibytes > kMostMiB)
        throw Error(ErrorKind::Usage, "bad-run-memory",
                    "OLAB_RUN_MEMORY cannot be '" + text.toStdString() + "'.",
                    "Allowed: MiB from 0 to " + std::to_string(kMostMiB) + "; or unset it.");
    return mebibytes << 20;
}

} // namespace

StartOptions readStartOptions(int count, const char* const* words) {
    QCommandLineParser parser;
    addOptions(parser);
    QStringList all; // not as QCoreApplication has them: names of files may be any bytes
    for (int i = 0; i < count; ++i)
        all << ui::nameOf(words[i]);
    parser.process(all);
    if (parser.positionalArguments().size() > 1 && parser.isSet(QStringLiteral("picture")))
        throw Error(ErrorKind::Usage, "too-many-files", "A picture is made of one file.",
                    "Give one; --against FILE2 adds another one below it.");
    StartOptions options;
    options.files = parser.positionalArguments();
    options.preset = parser.value(QStringLiteral("preset"));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    options.picture = parser.value(QStringLiteral("picture"));
    options.against = parser.value(QStringLiteral("against"));
    options.shape =
        static_cast<ui::PictureShape>(choiceOf(parser, QStringLiteral("format"), {"tall", "16:9"}));
    options.width = widthOf(parser, options.shape);
    if (parser.isSet(QStringLiteral("part")))
        options.part = partOf(parser);
    readTiming(parser, options);
    options.runMemory = wantedRunMemory();
    options.projector = parser.isSet(QStringLiteral("projector"));
    options.demo = parser.isSet(QStringLiteral("demo"));
    options.run = parser.isSet(QStringLiteral("run"));
    options.backend =
        static_cast<StartBackend>(choiceOf(parser, QStringLiteral("backend"), {"auto", "cuda", "sim"}));
    options.exitAfterScreenshot =
        choiceOf(parser, QStringLiteral("exit-after-screenshot"), {"yes", "no"}) == 0;
    if (parser.isSet(QStringLiteral("theme")))
        options.theme = choiceOf(parser, QStringLiteral("theme"), {"light", "dark"}) == 0
                            ? ui::ThemeChoice::Light
                            : ui::ThemeChoice::Dark;
    if (parser.isSet(QStringLiteral("colour-by")))
        options.colourBy =
            static_cast<view::ColourBy>(choiceOf(parser, QStringLiteral("colour-by"), colourings()));
    if (parser.isSet(QStringLiteral("zoom")))
        options.zoom = zoomOf(parser);
    if (parser.isSet(QStringLiteral("select")))
        options.select = selectionOf(parser);
    if (parser.isSet(QStringLiteral("size")))
        options.size = sizeOf(parser);
    if (parser.isSet(QStringLiteral("page")))
        options.page = pageOf(parser);
    return options;
}

} // namespace olab::gui
