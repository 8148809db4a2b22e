// Pictures carry the headline and the bar of the account, and the ghosts that are asked for.
#include "account_fixture.h"

#include <olab/ui/format.h>
#include <olab/ui/picture.h>

#include <base/ledger_pieces.h>
#include <pictures/page_data.h>
#include <pictures/picture_text.h>

#include <QJsonArray>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

QByteArray svgOf(const view::ViewDataPtr& shown, const PictureRequest& request) {
    return pictureFormatOf(QStringLiteral("x.svg")).make(*shown, request);
}

} // namespace

TEST(PictureLedger, CarriesTheHeadlineAndWhatTheBarAddsUpTo) {
    const view::ViewDataPtr shown = shownWith(smallLedger());
    for (const PictureShape shape : {PictureShape::Tall, PictureShape::Wide}) {
        PictureRequest request;
        request.shape = shape;
        request.width = shape == PictureShape::Wide ? kWideWidth : 1280;
        const QByteArray svg = svgOf(shown, request);
        EXPECT_TRUE(svg.contains("1.5x slower than ideal"));
        EXPECT_TRUE(svg.contains("the NULL stream 150")) << "on its piece of the bar";
    }
    const QByteArray page = pictureFormatOf(QStringLiteral("x.html")).make(*shown, {});
    EXPECT_TRUE(page.contains("1.5x slower than ideal"));
    EXPECT_TRUE(page.contains("measured = "));
}

TEST(PictureLedger, APageHasTheBarAndTheWaitsOfTheAccount) {
    const view::ViewDataPtr shown = shownWith(smallLedger(6'000));
    const QJsonObject data = pageData(*shown, {}, nullptr);
    const QJsonArray pieces = data["pieces"].toArray();
    qsizetype at = 0;
    for (const LedgerPiece& piece : ledgerPieces(shown->account()->ledger()))
        if (piece.length > 0) {
            EXPECT_EQ(pieces[at]["length"].toInteger(), piece.length);
            EXPECT_EQ(pieces[at++]["title"].toString(), titleOf(piece));
        }
    EXPECT_EQ(pieces.size(), at);
    const QJsonObject waits = data["waits"].toObject();
    const QJsonArray ops = waits["ops"].toArray();
    ASSERT_FALSE(ops.isEmpty());
    for (qsizetype i = 0; i < ops.size(); ++i) {
        const auto wait = shown->waitOf(static_cast<ActivityIndex>(ops[i].toInt())); // the page has all
        ASSERT_TRUE(wait);
        EXPECT_EQ(waits["ready"][i].toInteger() + shown->limits().begin, wait->time.begin);
        EXPECT_EQ(waits["causes"][i].toInt(), static_cast<int>(wait->cause));
        EXPECT_EQ(waits["drawn"][i].toInt(), wait->isOwned ? 1 : 0);
    }
}

TEST(PictureLedger, WithoutAnAccountSaysNothingOfIt) {
    const view::ViewDataPtr shown = smallShown();
    shown->setAccount(nullptr);
    EXPECT_FALSE(svgOf(shown, {}).contains("measured = "));
    auto missing = std::make_shared<analysis::Ledger>();
    missing->missing = "No.";
    EXPECT_FALSE(svgOf(shownWith(missing), {}).contains("measured = "));
}

TEST(PictureLedger, ShowsTheGhostsThatAreAskedFor) {
    const view::ViewDataPtr shown = shownWith(smallLedger(6'000));
    PictureRequest request;
    const QByteArray waits = svgOf(shown, request);
    EXPECT_TRUE(waits.contains("waits: the NULL stream"));
    EXPECT_FALSE(waits.contains("ideal run"));
    request.waits = false;
    const QByteArray none = svgOf(shown, request);
    EXPECT_FALSE(none.contains("waits: "));
    EXPECT_LT(none.size(), waits.size());
    request.ideal = true;
    const QByteArray ideal = svgOf(shown, request);
    EXPECT_TRUE(ideal.contains("1.0 % shorter than the run"));
    EXPECT_GT(ideal.size(), none.size());
    EXPECT_EQ(svgOf(shown, request), ideal) << "the same request gives the same bytes";
}
