// One painter, several devices.
#include "base/plain_text.h"
#include "pictures/lane_figure.h"
#include "pictures/page_data.h"
#include "pictures/painted.h"
#include "pictures/picture_flow.h"
#include "pictures/picture_lanes.h"
#include "pictures/picture_painter.h"
#include "pictures/picture_text.h"

#include <olab/trace/output_file.h>
#include <olab/ui/format.h>
#include <olab/ui/picture.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonDocument>
#include <QPainter>

#include <algorithm>
#include <string>

namespace olab::ui {

namespace {

QByteArray bytesOf(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

constexpr qsizetype kPlainData = 4 << 20; ///< bytes of JSON: beyond, a page holds them compressed

/// JSON inside of a page: nothing in it may look like a tag.
QByteArray dataElement(const QJsonObject& data) {
    QByteArray text = QJsonDocument(data).toJson(QJsonDocument::Compact);
    if (text.size() > kPlainData)
        return "<script id=\"data\" type=\"application/zlib\">" + qCompress(text).mid(4).toBase64() +
               "</script>\n"; // Qt's own length comes first
    text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    return "<script id=\"data\" type=\"application/json\">" + text + "</script>\n";
}

QByteArray sourceHash(const QByteArray& text) {
    return "'sha256-" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toBase64() + "'";
}

QString variablesOf(const Theme& theme, const ViewStyle& sizes) {
    QString style = QStringLiteral("{--window:%1;--base:%2;--raised:%3;--text:%4;--dim:%5;--line:%6;"
                                   "--error:%7;--errorText:%8;--badge:%9;")
                        .arg(theme.window.name(), theme.base.name(), theme.raised.name(), theme.text.name(),
                             theme.dim.name(), theme.line.name(), theme.error.name(), theme.errorText.name(),
                             theme.colour(ActivityClass::Memset).name());
    style += QStringLiteral("--badgeInk:%1;--accent:%2;--type:%3px;--small:%4px;color-scheme:%5")
                 .arg(inkOn(theme.colour(ActivityClass::Memset)).name(), theme.accent.name())
                 .arg(sizes.type)
                 .arg(sizes.small)
                 .arg(theme.dark ? QStringLiteral("dark") : QStringLiteral("light"));
    for (std::size_t kind = 0; kind < theme.verdict.size(); ++kind)
        style += QStringLiteral(";--v%1:%2").arg(kind).arg(theme.verdict[kind].name());
    return style + QStringLiteral("}");
}

/// Light or dark as the reader's system is, until the page says which by data-look; light on paper.
QString styleOf(bool projector, const ViewStyle& sizes) {
    const QString light = variablesOf(Theme::of(false, projector), sizes),
                  dark = variablesOf(Theme::of(true, projector), sizes);
    QString style = exactText(kPageStyle);
    for (std::size_t kind = 0; kind < analysis::kVerdictKinds; ++kind)
        style += QStringLiteral(".v%1{background:var(--v%1)}\n").arg(kind);
    return style + QStringLiteral(":root") + light +
           QStringLiteral("\n@media (prefers-color-scheme:dark){:root") + dark +
           QStringLiteral("}\n:root[data-look=light]") + light + QStringLiteral("\n:root[data-look=dark]") +
           dark + QStringLiteral("\n@media print{:root,:root[data-look]") + light + QStringLiteral("}\n");
}

QString element(const char* tag, const char* cls, const QString& text) {
    if (text.isEmpty())
        return {};
    return QStringLiteral("<%1 class=\"%2\">%3</%1>\n")
        .arg(QLatin1String(tag), QLatin1String(cls), text.toHtmlEscaped());
}

QString reason(const PictureReason& why) {
    if (why.headline.isEmpty())
        return {};
    return QStringLiteral("<section class=\"reason\" aria-label=\"%1\">\n").arg(tr("Why").toHtmlEscaped()) +
           element("h2", "why", why.headline) + element("p", "because", why.text) +
           element("p", "dim", why.remedy) + QStringLiteral("</section>\n");
}

QString verdictRows(const PictureText& text) {
    QString rows;
    for (const PictureText::Line& line : text.lines)
        rows += QStringLiteral("<tr><th class=\"v%1\" scope=\"row\">%2</th><td>%3</td></tr>\n")
                    .arg(static_cast<int>(line.kind))
                    .arg(line.outcome.toHtmlEscaped(), line.text.toHtmlEscaped());
    return QStringLiteral("<table>\n%1</table>\n").arg(rows);
}

QString swatch(const QString& of, const QString& text) {
    return QStringLiteral("<span><canvas class=\"swatch\" %1 width=\"22\" height=\"12\"></canvas>%2</span>\n")
        .arg(of, text.toHtmlEscaped());
}

/// Of colours that are no class's, in both themes.
QString colourEntries(const view::Colouring& colouring, bool projector) {
    QString items;
    for (const view::Colouring::Entry& entry : colouring.entries())
        items += swatch(QStringLiteral("data-light=\"%1\" data-dark=\"%2\"")
                            .arg(colourOf(entry.colour, Theme::of(false, projector)).name(),
                                 colourOf(entry.colour, Theme::of(true, projector)).name()),
                        printable(entryText(colouring, entry)));
    return items;
}

QString legend(const PictureText& text, const QString& colours,
               const std::vector<analysis::LossCause>& waits) {
    QString items = colours;
    for (const ActivityClass cls : colours.isEmpty() ? text.looks : std::vector<ActivityClass>())
        items += swatch(QStringLiteral("data-class=\"%1\"").arg(static_cast<int>(cls)),
                        fromText(view::lookLabel(cls)));
    for (int level = 0; level < 3; ++level)
        items += swatch(QStringLiteral("data-ribbon=\"%1\"").arg(level), atOnceName(level));
    for (const analysis::LossCause cause : waits)
        items += swatch(QStringLiteral("data-cause=\"%1\"").arg(static_cast<int>(cause)),
                        cause == waits.front() ? tr("waits: %1").arg(causeTitle(cause)) : causeTitle(cause));
    return QStringLiteral("<p class=\"legend\">\n%1</p>\n").arg(items);
}

QString marks(const PictureText& text) {
    QString items;
    for (const PictureText::Mark& mark : text.marks)
        items += QStringLiteral("<li value=\"%1\">%2</li>\n").arg(mark.number).arg(mark.text.toHtmlEscaped());
    if (items.isEmpty())
        return {};
    return QStringLiteral("<ol class=\"marks\" aria-label=\"%1\">\n%2</ol>\n")
               .arg(tr("Bookmarks").toHtmlEscaped(), items) +
           element("p", "dim", moreMarksText(text.moreMarks));
}

/// What acts by the script alone.
QString tools() {
    const auto button = [](const char* id, const QString& words, const QString& key) {
        return QStringLiteral("<button id=\"%1\" title=\"%3\">%2</button>\n")
            .arg(QLatin1String(id), words.toHtmlEscaped(), key.toHtmlEscaped());
    };
    return QStringLiteral("<div id=\"tools\" hidden>\n<input id=\"search\" type=\"search\" "
                          "placeholder=\"%1\" aria-label=\"%1\"/>\n<span id=\"found\" "
                          "role=\"status\"></span>\n")
               .arg(tr("Search by name or #number ( / )").toHtmlEscaped()) +
           button("link", tr("Copy link"), tr("Y: copies the address of what is shown here")) +
           button("look", tr("Light or dark"), tr("Changes the colours of this page")) +
           QStringLiteral("<span id=\"said\" role=\"status\"></span>\n</div>\n");
}

QString help() {
    return element("p", "help",
                   tr("Wheel or W, S: zoom. Drag or A, D: move. Double click or 0: everything. F: what is "
                      "selected. Click: select. J, K: what it waited for, what waited for it. Period, comma: "
                      "next, previous of its row. Shift+drag or M: measure. /: search; N, Shift+N: next, "
                      "previous. Y: copy a link to this place. Esc: back. Over the names the wheel scrolls "
                      "the page."));
}

struct PageParts {
    PictureText text;
    QString colours; ///< for the legend; empty: of classes
    std::vector<analysis::LossCause> waits;
    std::string whole; ///< a picture of the whole run, where the page has only a part of it
};

QString figure(const PageParts& parts) {
    QString made;
    if (!parts.whole.empty())
        made += QStringLiteral("<details open=\"\"><summary>%1</summary>\n")
                    .arg(tr("The whole run, as a picture").toHtmlEscaped()) +
                exactText(parts.whole) + QStringLiteral("</details>\n");
    return made + tools() +
           QStringLiteral("<div id=\"figure\"><canvas id=\"lanes\" tabindex=\"0\" role=\"application\" "
                          "aria-label=\"%1\"></canvas><div id=\"card\" role=\"status\" hidden></div></div>\n"
                          "<div id=\"facts\"><div id=\"picked\" role=\"status\" hidden></div>\n"
                          "<div id=\"range\" role=\"status\" hidden></div></div>\n"
                          "<noscript><p class=\"race\">%2</p></noscript>\n")
               .arg(tr("Timeline: W and S zoom, A and D move, 0 shows everything").toHtmlEscaped(),
                    tr("The timeline of this page is drawn by its script, which is switched off here.")
                        .toHtmlEscaped());
}

QString body(const PageParts& parts) {
    const PictureText& text = parts.text;
    QString made = QStringLiteral("<header>") + element("h1", "title", text.title) +
                   element("strong", "badge", text.badge) + QStringLiteral("</header>\n");
    made += element("p", "race", text.race) + element("h2", "why", text.headline) +
            QStringLiteral("<div id=\"account\" role=\"group\" aria-label=\"%1\"></div>\n")
                .arg(tr("Where the time went: a click shows only what waited for it").toHtmlEscaped()) +
            element("p", "dim", text.sum);
    made += reason(text.reason) + element("p", "origin", text.origin);
    for (const QString& caution : text.cautions)
        made += element("p", "dim", caution);
    made += verdictRows(text) + element("p", "settings", text.settings) + element("p", "dim", text.part);
    made += figure(parts);
    made += marks(text) + legend(text, parts.colours, parts.waits) + help();
    made += element("p", "dim", columnNote());
    return made + element("p", "dim", QStringLiteral("Overlap Lab " OLAB_VERSION));
}

/// The lanes alone, as a drawing inside of a page. Its colours are attributes: a policy that allows no styles
/// leaves it as it is.
std::string wholeRun(const view::ViewData& shown, PictureRequest request) {
    request.range.reset();
    request.ratio = 1;
    const LaneFigure lanes(shown, request, request.width, pictureFont());
    QByteArray svg =
        paintedSvg({QSize(request.width, lanes.height()), 1, {}, {}, [&lanes](QPainter& painter) {
                        lanes.paint(painter, {0, 0});
                    }});
    return svg.mid(std::max<qsizetype>(svg.indexOf("<svg"), 0))
        .toStdString(); // what comes before is of a file of its own
}

/// Of a run that is too much for a page: what was judged, or all of it; of that as much from its begin on as
/// a page holds.
Interval pagePart(const view::ViewData& shown) {
    const view::AccountPtr account = shown.account();
    const Interval judged = account && account->ledger().part ? account->ledger().part->time : shown.limits();
    const Trace& trace = shown.trace();
    std::size_t count = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i) // by begin
        if (trace.time(i).end > judged.begin && ++count > kMaxPageActivities)
            return {judged.begin, std::min(judged.end, trace.time(i).begin)};
    return judged;
}

bool isTooMuch(const view::ViewData& shown, const PictureRequest& request) {
    return !request.range && shown.trace().size() > kMaxPageActivities;
}

/// A picture as a page of HTML that needs nothing but itself: the reader zooms, moves, searches, measures and
/// asks for details. It is as the reader's system is, light or dark, unless dark was asked for.
/// Its security policy lets no other script run and nothing be loaded.
/// @throws Error kind Usage when there are more activities in a range that was asked for than a page can hold
QByteArray picturePage(const view::ViewData& shown, const PictureRequest& asked) {
    if (asked.shape == PictureShape::Wide)
        throw Error(ErrorKind::Usage, "page-has-no-format",
                    tr("A page of HTML is as wide as its reader's window.").toStdString(),
                    tr("Write PNG, SVG or PDF for 16:9.").toStdString());
    const bool isPart = isTooMuch(shown, asked);
    PictureRequest request = asked;
    if (isPart)
        request.range = pagePart(shown);
    const auto colouring = pictureColouring(shown, request);
    const QByteArray data = dataElement(pageData(shown, request, colouring.get())); // it may be too much
    const LaneFigure lanes(shown, request, request.width, pictureFont());
    PageParts parts{pictureText(shown, request),
                    colouring ? colourEntries(*colouring, request.projector) : QString(), lanes.waitCauses(),
                    isPart ? wholeRun(shown, asked) : std::string()};
    tellRows(parts.text, shown, request, lanes.lanes());
    if (isPart)
        parts.text.part.prepend(
            tr("A page holds %1 activities, and this run has %2: below is a picture of the "
               "whole run, then a part of it to zoom in. ")
                .arg(kMaxPageActivities)
                .arg(shown.trace().size()));
    const QByteArray script = bytesOf(kPageScript),
                     style = styleOf(request.projector, pictureStyle(request)).toUtf8();
    QByteArray page =
        QByteArray("<!DOCTYPE html>\n") +
        (request.dark ? "<html lang=\"en\" data-look=\"dark\">" : "<html lang=\"en\">") +
        "\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ";
    page += sourceHash(script) + "; style-src " + sourceHash(style) + "\">\n";
    page += "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
    page += (parts.text.title + QLatin1Char(' ') + parts.text.badge).toHtmlEscaped().toUtf8();
    page += "</title>\n<style>" + style + "</style>\n</head>\n<body>\n" + body(parts).toUtf8();
    page += data + "<script>" + script + "</script>\n</body>\n</html>\n";
    return page;
}

Painted paintedOf(PicturePainter& picture, const PictureRequest& request) {
    return {picture.size(), PicturePainter::scaleOf(request),
            picture.text().title + QLatin1Char(' ') + picture.text().badge, picture.text().origin,
            [&picture](QPainter& painter) { picture.paint(painter); }};
}

QByteArray makePng(const view::ViewData& shown, PictureRequest request) {
    request.ratio *= PicturePainter::scaleOf(request);
    PicturePainter picture(shown, request);
    return paintedPng(paintedOf(picture, request), request.ratio);
}

QByteArray makeSvg(const view::ViewData& shown, PictureRequest request) {
    request.ratio = 1;
    PicturePainter picture(shown, request);
    return paintedSvg(paintedOf(picture, request));
}

QByteArray makePdf(const view::ViewData& shown, PictureRequest request) {
    request.ratio = 1;
    PicturePainter picture(shown, request);
    return paintedPdf(paintedOf(picture, request));
}

constexpr PictureFormat kFormats[] = {
    {"png", QT_TR_NOOP("PNG picture"),
     [](const view::ViewData& s, const PictureRequest& r) { return makePng(s, r); }, true},
    {"svg", QT_TR_NOOP("SVG drawing"),
     [](const view::ViewData& s, const PictureRequest& r) { return makeSvg(s, r); }, true},
    {"pdf", QT_TR_NOOP("PDF page"),
     [](const view::ViewData& s, const PictureRequest& r) { return makePdf(s, r); }, true},
    {"html", QT_TR_NOOP("HTML page to zoom in"), picturePage, false},
};

} // namespace

std::span<const PictureFormat> pictureFormats() {
    return kFormats;
}

const PictureFormat& pictureFormatOf(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    QStringList known;
    for (const PictureFormat& format : kFormats) {
        if (ending == QLatin1String(format.ending))
            return format;
        known << QLatin1Char('.') + QLatin1String(format.ending);
    }
    throw Error(
        ErrorKind::Usage, "unknown-format",
        tr("The name %1 does not say which kind of picture to write.").arg(shownText(path)).toStdString(),
        tr("It must end in one of these: %1.").arg(known.join(QStringLiteral(", "))).toStdString());
}

QImage pictureImage(const view::ViewData& shown, const PictureRequest& request) {
    PictureRequest drawn = request;
    drawn.ratio *= PicturePainter::scaleOf(request);
    PicturePainter picture(shown, drawn);
    return paintedImage(paintedOf(picture, request), drawn.ratio);
}

void writePicture(const view::ViewData& shown, const PictureRequest& request, const QString& path) {
    const QByteArray bytes = pictureFormatOf(path).make(shown, request);
    writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace olab::ui
