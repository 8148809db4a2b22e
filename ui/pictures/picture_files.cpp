// One painter, several devices.
#include "base/plain_text.h"
#include "pictures/lane_figure.h"
#include "pictures/page_data.h"
#include "pictures/painted.h"
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

namespace olab::ui {

namespace {

QByteArray bytesOf(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// JSON inside of a page: nothing in it may look like a tag.
QByteArray dataText(const QJsonObject& data) {
    QByteArray text = QJsonDocument(data).toJson(QJsonDocument::Compact);
    text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    return text;
}

QByteArray sourceHash(const QByteArray& text) {
    return "'sha256-" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toBase64() + "'";
}

QString styleOf(const Theme& theme, const ViewStyle& sizes) {
    QString style = exactText(kPageStyle) +
                    QStringLiteral(":root{--window:%1;--base:%2;--raised:%3;--text:%4;--dim:%5;--line:%6;"
                                   "--error:%7;--errorText:%8;--badge:%9;")
                        .arg(theme.window.name(), theme.base.name(), theme.raised.name(), theme.text.name(),
                             theme.dim.name(), theme.line.name(), theme.error.name(), theme.errorText.name(),
                             theme.colour(ActivityClass::Memset).name());
    style += QStringLiteral("--badgeInk:%1;--accent:%2;--type:%3px;--small:%4px;color-scheme:%5}\n")
                 .arg(inkOn(theme.colour(ActivityClass::Memset)).name(), theme.accent.name())
                 .arg(sizes.type)
                 .arg(sizes.small)
                 .arg(theme.dark ? QStringLiteral("dark") : QStringLiteral("light"));
    for (std::size_t kind = 0; kind < theme.verdict.size(); ++kind)
        style += QStringLiteral(".v%1{background:%2}\n").arg(kind).arg(theme.verdict[kind].name());
    return style;
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

/// Of colours that are no class's.
QString colourEntries(const view::Colouring& colouring, const Theme& theme) {
    QString items;
    for (const view::Colouring::Entry& entry : colouring.entries())
        items += QStringLiteral("<span><canvas class=\"swatch\" data-fill=\"%1\" width=\"22\" "
                                "height=\"12\"></canvas>%2</span>\n")
                     .arg(colourOf(entry.colour, theme).name(),
                          printable(entryText(colouring, entry)).toHtmlEscaped());
    return items;
}

QString legend(const PictureText& text, const QString& colours) {
    QString items = colours;
    for (const ActivityClass cls : colours.isEmpty() ? text.looks : std::vector<ActivityClass>())
        items += QStringLiteral("<span><canvas class=\"swatch\" data-class=\"%1\" width=\"22\" "
                                "height=\"12\"></canvas>%2</span>\n")
                     .arg(static_cast<int>(cls))
                     .arg(fromText(view::lookLabel(cls)).toHtmlEscaped());
    for (int level = 0; level < 3; ++level)
        items += QStringLiteral("<span><canvas class=\"swatch\" data-ribbon=\"%1\" width=\"22\" "
                                "height=\"12\"></canvas>%2</span>\n")
                     .arg(level)
                     .arg(atOnceName(level).toHtmlEscaped());
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

QString body(const PictureText& text, const QString& colours) {
    QString made = QStringLiteral("<header>") + element("h1", "title", text.title) +
                   element("strong", "badge", text.badge) + QStringLiteral("</header>\n");
    made +=
        element("p", "race", text.race) + element("h2", "why", text.headline) + element("p", "dim", text.sum);
    made += reason(text.reason) + element("p", "origin", text.origin);
    for (const QString& caution : text.cautions)
        made += element("p", "dim", caution);
    made += verdictRows(text) + element("p", "settings", text.settings) + element("p", "dim", text.part);
    made += QStringLiteral("<div id=\"figure\"><canvas id=\"lanes\" tabindex=\"0\" role=\"application\" "
                           "aria-label=\"%1\"></canvas><div id=\"card\" role=\"status\" hidden></div></div>\n"
                           "<noscript><p class=\"race\">%2</p></noscript>\n")
                .arg(tr("Timeline: W and S zoom, A and D move, 0 shows everything").toHtmlEscaped(),
                     tr("The timeline of this page is drawn by its script, which is switched off here.")
                         .toHtmlEscaped());
    made += marks(text) + legend(text, colours);
    made += element("p", "dim",
                    tr("Wheel: zoom at the pointer. Drag: move. Double click or 0: everything. "
                       "W and S zoom, A and D move. Over the names the wheel scrolls the page."));
    made += element("p", "dim", columnNote());
    return made + element("p", "dim", QStringLiteral("Overlap Lab " OLAB_VERSION));
}

/// A picture as a page of HTML that needs nothing but itself: the reader zooms, moves and asks for details.
/// Its security policy lets no other script run and nothing be loaded.
/// @throws Error kind Usage when there are more activities in the range than a page can hold
QByteArray picturePage(const view::ViewData& shown, const PictureRequest& request) {
    if (request.shape == PictureShape::Wide)
        throw Error(ErrorKind::Usage, "page-has-no-format",
                    tr("A page of HTML is as wide as its reader's window.").toStdString(),
                    tr("Write PNG, SVG or PDF for 16:9.").toStdString());
    const auto colouring = pictureColouring(shown, request);
    const QByteArray data = dataText(pageData(shown, request, colouring.get())); // first: it may be too much
    PictureText text = pictureText(shown, request);
    const ViewStyle sizes = pictureStyle(request);
    tellRows(text, shown, request,
             PictureLanes::of(shown, request, request.range.value_or(shown.limits()), 0, sizes));
    const Theme& theme = Theme::of(request.dark, request.projector);
    const QByteArray script = bytesOf(kPageScript), style = styleOf(theme, sizes).toUtf8();
    QByteArray page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ";
    page += sourceHash(script) + "; style-src " + sourceHash(style) + "\">\n";
    page += "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
    page += (text.title + QLatin1Char(' ') + text.badge).toHtmlEscaped().toUtf8();
    page += "</title>\n<style>" + style + "</style>\n</head>\n<body>\n" +
            body(text, colouring ? colourEntries(*colouring, theme) : QString()).toUtf8();
    page += "<script id=\"data\" type=\"application/json\">" + data + "</script>\n";
    page += "<script>" + script + "</script>\n</body>\n</html>\n";
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
