// Any bytes as names in a recording, its title and its notes, in the pictures that are text: an SVG is XML, a
// page of HTML is one, too, but for its own script, nothing in either acts or asks the network. Pictures are
// part of the window, so this target links it.
#include "fuzz.h"

#include <olab/io/notes.h>
#include <olab/ui/picture.h>

#include <QApplication>
#include <QJsonDocument>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>

using namespace olab;
using fuzz::require;

namespace {

recording::RecordingPtr named(std::string_view name) {
    TraceBuilder builder;
    builder.add(DeviceRecord{.device = 0, .name = std::string(name)});
    std::uint32_t number = 0;
    for (const ActivityClass cls : {ActivityClass::Kernel, ActivityClass::MemcpyH2D, ActivityClass::Nvtx}) {
        ActivityRecord record;
        record.cls = cls, record.begin = 1000, record.end = 9000, record.correlation = ++number;
        (cls == ActivityClass::Nvtx ? record.thread : record.device) = 0;
        record.stream = number;
        record.name = builder.intern(name);
        builder.add(record);
    }
    io::RecordingData data;
    data.trace = builder.finish();
    data.label = {io::cleanTitle(name), io::cleanNote(name)};
    data.bookmarks = {{{2000, 3000}, io::cleanTitle(name), io::cleanNote(name), std::nullopt}};
    return recording::makeRecording(std::move(data), std::string(name), false);
}

bool isKnown(QStringView element) {
    constexpr std::array kDrawn{
        "svg",   "title",          "desc",           "defs",   "g",        "rect",     "path",
        "text",  "tspan",          "line",           "circle", "ellipse",  "polyline", "polygon",
        "image", "linearGradient", "radialGradient", "stop",   "clipPath", "pattern",  "use",
        "mask"};
    constexpr std::array kPage{"body", "header", "h1",  "h2",     "strong",   "p",  "section", "table", "tr",
                               "th",   "td",     "div", "canvas", "noscript", "ol", "li",      "span"};
    const auto is = [element](const char* known) { return element == QLatin1String(known); };
    return std::ranges::any_of(kDrawn, is) || std::ranges::any_of(kPage, is);
}

/// Well-formed, of elements that draw or hold text, with attributes that do nothing.
void requireTame(const QByteArray& xml) {
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        require(isKnown(reader.name()));
        for (const QXmlStreamAttribute& attribute : reader.attributes()) {
            require(!attribute.name().startsWith(QLatin1String("on")));
            require(attribute.name() != QLatin1String("href") ||
                    attribute.value().startsWith(QLatin1Char('#')) ||
                    attribute.value().startsWith(QLatin1String("data:image/")));
        }
    }
    require(!reader.hasError());
}

/// What stands between the two, once each.
QByteArray between(const QByteArray& page, const char* begin, const char* end) {
    require(page.count(begin) == 1);
    const auto first = page.indexOf(begin) + static_cast<qsizetype>(qstrlen(begin)),
               last = page.indexOf(end, first);
    require(last >= first);
    return page.mid(first, last - first);
}

void requireTamePage(const QByteArray& page) {
    require(page.count("<script") == 2 && page.count("</script") == 2 && page.count("<style") == 1);
    require(std::ranges::none_of(page, [](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\t'; }));
    requireTame("<title>" + between(page, "<title>", "</title>") + "</title>");
    QByteArray body = between(page, "<body>\n", "<script id=\"data\"");
    requireTame("<body>" + body.replace(" hidden>", ">") +
                "</body>"); // of the card: an attribute of HTML alone
    const QByteArray data = between(page, "type=\"application/json\">", "</script>");
    require(QJsonDocument::fromJson(data).isObject() && !data.contains('<') && !data.contains('&'));
}

} // namespace

/// What fontconfig keeps of the fonts that it was asked for is its own.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libfontconfig";
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    static int count = 1;
    static char name[] = "fuzz_pictures";
    static char* words[] = {name, nullptr};
    qputenv("QT_QPA_PLATFORM", "offscreen");
    static QApplication application(count, words);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const view::ViewData shown(named(fuzz::textOf(data, size)));
    ui::PictureRequest request;
    request.width = ui::kMinPictureWidth;
    requireTame(ui::pictureFormatOf(QStringLiteral("a.svg")).make(shown, request));
    requireTamePage(ui::pictureFormatOf(QStringLiteral("a.html")).make(shown, request));
    return 0;
}
