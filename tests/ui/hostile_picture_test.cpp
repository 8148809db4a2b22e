// Pictures of a recording whose every string is an attack: well-formed, and text.
#include "../hostile_recording.h"
#include "shown_fixture.h"

#include <olab/trace/trace_builder.h>
#include <olab/ui/picture.h>

#include <QJsonDocument>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr hostile(SourceKind source) {
    TraceBuilder builder;
    addHostileRecords(builder, source);
    auto recording = recording::makeRecording({builder.finish(), nullptr, std::nullopt, hostileBookmarks()},
                                              hostileText(), false);
    return std::make_shared<const view::ViewData>(recording);
}

QByteArray made(const char* ending, const view::ViewData& shown, const PictureRequest& request = {}) {
    return pictureFormatOf(QStringLiteral("x.") + QLatin1String(ending)).make(shown, request);
}

/// What XML 1.0 forbids, and what turns the order of reading.
bool holdsWhatActs(const QString& text) {
    static const QRegularExpression acts(QStringLiteral(
        "[\\x{00}-\\x{08}\\x{0b}\\x{0c}\\x{0e}-\\x{1f}\\x{7f}-\\x{9f}\\x{61c}\\x{200e}\\x{200f}"
        "\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}\\x{fffe}\\x{ffff}]"));
    return acts.match(text).hasMatch();
}

} // namespace

TEST(HostilePicture, SvgIsWellFormedAndItsNamesAreText) {
    for (const SourceKind source : {SourceKind::Imported, SourceKind::Simulated, SourceKind::Traced})
        for (const PictureShape shape : {PictureShape::Tall, PictureShape::Wide}) {
            PictureRequest request;
            request.shape = shape;
            const QByteArray svg = made("svg", *hostile(source), request);
            EXPECT_FALSE(holdsWhatActs(QString::fromUtf8(svg)));
            QXmlStreamReader reader(svg);
            QString text;
            while (!reader.atEnd()) {
                reader.readNext();
                EXPECT_NE(reader.name(), QLatin1String("script"));
                EXPECT_NE(reader.name(), QLatin1String("img"));
                if (reader.isCharacters())
                    text += reader.text();
            }
            EXPECT_FALSE(reader.hasError()) << qPrintable(reader.errorString());
            EXPECT_TRUE(text.contains("</text></script><script>alert(1)")) << "as letters";
            EXPECT_TRUE(text.contains("\\x1b[31m")) << "it is seen";
        }
}

TEST(HostilePicture, APageRunsNoScriptButItsOwn) {
    const QString page = QString::fromUtf8(made("html", *hostile(SourceKind::Simulated)));
    EXPECT_FALSE(holdsWhatActs(page));
    EXPECT_EQ(page.count(QLatin1String("<script")), 2) << "its data and its own script";
    EXPECT_EQ(page.count(QLatin1String("</script>")), 2);
    EXPECT_EQ(page.count(QLatin1String("<img")), 0);
    static const QRegularExpression data(QStringLiteral("type=\"application/json\">(.*?)</script>"));
    QJsonParseError error;
    QJsonDocument::fromJson(data.match(page).captured(1).toUtf8(), &error);
    EXPECT_EQ(error.error, QJsonParseError::NoError) << qPrintable(error.errorString());
}

TEST(HostilePicture, ThePdfAndThePngAreMade) {
    for (const char* ending : {"pdf", "png"}) {
        const QByteArray picture = made(ending, *hostile(SourceKind::Imported));
        EXPECT_GT(picture.size(), 5'000) << ending;
        EXPECT_FALSE(picture.contains("\x1b[31m")) << ending << ": in its title";
    }
}
