// Bookmarks in pictures: those that lie in view, with their titles, as text in every format.
#include "shown_fixture.h"

#include <olab/trace/trace_builder.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>

#include <pictures/lane_figure.h>
#include <pictures/picture_text.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

const auto kEvil = QStringLiteral("</script><script>alert(1)</script> \"größe\" <b>&amp;");

PictureRequest withMarks() {
    PictureRequest request;
    request.bookmarks = std::vector<io::Bookmark>{
        {{1'050'000, 1'060'000}, "GPU 0 copy H2D", "the first copy\nand what it is for", 0},
        {{1'300'000, 1'300'000}, "", kEvil.toStdString() + "\x01", {}},
        {{1'500'000, 1'540'000}, "", "", {}}};
    return request;
}

QByteArray made(const char* ending, const PictureRequest& request) {
    return pictureFormatOf(QStringLiteral("x.") + QLatin1String(ending)).make(*smallShown(), request);
}

QString textOfXml(const QByteArray& bytes) {
    QXmlStreamReader reader(bytes);
    QString all;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters)
            all += reader.text().toString() + QLatin1Char('\n');
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return all;
}

QJsonObject dataOf(const QByteArray& page) {
    static const QRegularExpression data(
        QStringLiteral("<script id=\"data\" type=\"application/json\">(.*?)</script>"));
    return QJsonDocument::fromJson(data.match(QString::fromUtf8(page)).captured(1).toUtf8()).object();
}

} // namespace

TEST(PictureBookmarks, StandInTheDrawingWithTheirTitles) {
    const QString text = textOfXml(made("svg", withMarks()));
    EXPECT_TRUE(text.contains(QStringLiteral("bookmarks\n")));
    EXPECT_TRUE(text.contains(QStringLiteral("1  the first copy and what it is for (10.0 µs from 50.0 µs, "
                                             "GPU 0 copy H2D)")))
        << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("<script>alert(1)"))) << "as text";
    EXPECT_TRUE(text.contains(QStringLiteral("3  40.0 µs from 500 µs"))) << "one without a note";
    EXPECT_EQ(made("svg", withMarks()), made("svg", withMarks()));
    EXPECT_FALSE(textOfXml(made("svg", {})).contains(QStringLiteral("bookmarks")));
}

TEST(PictureBookmarks, OnlyThoseThatLieInThePart) {
    PictureRequest request = withMarks();
    request.range = Interval{1'250'000, 1'400'000};
    const QString text = textOfXml(made("svg", request));
    EXPECT_FALSE(text.contains(QStringLiteral("the first copy")));
    EXPECT_TRUE(text.contains(QStringLiteral("2  </script>"))) << "with the number it has in the window";
    request.range = Interval{1'100'000, 1'200'000};
    EXPECT_FALSE(textOfXml(made("svg", request)).contains(QStringLiteral("bookmarks")));
}

TEST(PictureBookmarks, TakeRoomOnlyWhereThereAreAny) {
    const view::ViewDataPtr shown = smallShown();
    const QImage without = pictureImage(*shown, {}), with = pictureImage(*shown, withMarks());
    EXPECT_GT(with.height(), without.height());
    PictureRequest many;
    many.bookmarks.emplace();
    for (Ns i = 0; i < 900; ++i)
        many.bookmarks->push_back(
            {{1'000'000 + i * 500, 1'000'000 + i * 500}, "", std::string(8000, 'w'), {}});
    EXPECT_LT(pictureImage(*shown, many).height(), 8000) << "so many are not all written out";
    const PictureText text = pictureText(*shown, many);
    EXPECT_EQ(text.marks.size() + text.moreMarks, 900u);
}

TEST(PictureBookmarks, ThePageHoldsThemSafely) {
    const QByteArray page = made("html", withMarks());
    EXPECT_EQ(page.count("<script>alert"), 0);
    EXPECT_EQ(page.count("</script>"), 2) << "that of the data and that of the page";
    EXPECT_TRUE(page.contains("<li value=\"1\">the first copy"));
    const QJsonArray marks = dataOf(page)[QStringLiteral("marks")].toArray();
    ASSERT_EQ(marks.size(), 3);
    const QJsonObject first = marks[0].toObject();
    EXPECT_EQ(first[QStringLiteral("title")].toString(), QStringLiteral("the first copy"));
    EXPECT_EQ(first[QStringLiteral("end")].toInteger() - first[QStringLiteral("begin")].toInteger(), 10'000);
    EXPECT_TRUE(marks[1].toObject()[QStringLiteral("title")].toString().startsWith(kEvil));
    EXPECT_TRUE(
        dataOf(page)[QStringLiteral("rows")].toArray()[0].toObject()[QStringLiteral("flags")].toBool());
    EXPECT_FALSE(dataOf(made("html", {}))[QStringLiteral("rows")].toArray()[0].toObject().contains(
        QStringLiteral("flags")));
}

TEST(PictureBookmarks, ThoseOfTheRecordingUnlessOthersAreGiven) {
    TraceBuilder builder;
    builder.add(deviceWork(ActivityClass::Kernel, 1'000'000, 1'200'000, 13));
    io::RecordingData data{builder.finish(), nullptr, std::nullopt};
    data.bookmarks.push_back({{1'100'000, 1'100'000}, "", "of the file", {}});
    const view::ViewData shown(recording::makeRecording(std::move(data), "test", false));
    EXPECT_EQ(pictureText(shown, {}).marks.size(), 1u);
    PictureRequest none;
    none.bookmarks.emplace();
    EXPECT_TRUE(pictureText(shown, none).marks.empty()) << "they were removed in the window";
}
