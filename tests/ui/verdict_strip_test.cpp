// What the window says of pairs that are apart, and of those on which little of the run hangs.
#include "test_places.h"

#include <olab/comparison/comparison.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/format.h>
#include <olab/ui/picture.h>
#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <pictures/picture_text.h>
#include <results/verdict_icon.h>
#include <results/verdict_strip.h>

#include <QAbstractButton>
#include <QPainter>
#include <QSignalSpy>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;

namespace {

view::ViewDataPtr recorded(const char* name) {
    return std::make_shared<const view::ViewData>(
        recording::openRecording(std::string(OLAB_SOURCE_DIR) + "/resources/recordings/" + name + ".olab"));
}

const QAbstractButton* chipOf(const VerdictStrip& strip, const char* pair) {
    for (const auto* chip : strip.findChildren<QAbstractButton*>())
        if (chip->text().startsWith(QLatin1String(pair)))
            return chip;
    return nullptr;
}

} // namespace

TEST(VerdictWords, ApartIsNeitherLoudNorColoured) {
    EXPECT_EQ(verdictWord(analysis::VerdictKind::Apart), QStringLiteral("apart"));
    for (const bool dark : {false, true})
        for (const bool projector : {false, true}) {
            const QColor grey = Theme::of(dark, projector).colour(analysis::VerdictKind::Apart);
            EXPECT_LT(grey.hslSaturation(), 60) << grey.name().toStdString();
            EXPECT_NE(grey, Theme::of(dark, projector).colour(analysis::VerdictKind::Serialized));
        }
}

// Without any colour: who sees none, or a black and white print, still tells them apart.
TEST(VerdictIcons, EachAnswerHasAShapeOfItsOwn) {
    using enum analysis::VerdictKind;
    for (const QSize size : {QSize(24, 22), QSize(15, 11), QSize(48, 44)}) {
        std::vector<QImage> seen;
        for (const analysis::VerdictKind kind : {Overlapped, Stretched, Partial, Serialized, Inconclusive}) {
            QImage image(size, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintVerdictIcon(painter, QRectF(QPointF(0, 0), size), kind, Qt::black);
            painter.end();
            for (const QImage& other : seen) {
                int different = 0;
                for (int y = 0; y < size.height(); ++y)
                    for (int x = 0; x < size.width(); ++x)
                        different += std::abs(qGray(image.pixel(x, y)) - qGray(other.pixel(x, y))) > 96;
                EXPECT_GE(different, size.width() * size.height() / 20) << analysis::verdictName(kind).data();
            }
            seen.push_back(image);
        }
    }
}

TEST(VerdictStripOfStretchedPairs, SayByHowMuchAndHaveAColourOfTheirOwn) {
    const view::ViewDataPtr shown = recorded("breadth-first-h200");
    VerdictStrip strip;
    strip.setShown(shown);
    strip.resize(1200, 60);
    const auto* chip = chipOf(strip, "H2D and D2H");
    ASSERT_TRUE(chip);
    EXPECT_EQ(chip->text(), QStringLiteral("H2D and D2H: stretched by 21 %"));
    EXPECT_EQ(chip->accessibleName(), chip->text());
    EXPECT_TRUE(chip->accessibleDescription().contains(QStringLiteral("share the host's memory")))
        << chip->accessibleDescription().toStdString();
    const QImage image = const_cast<QAbstractButton*>(chip)->grab().toImage();
    EXPECT_EQ(image.pixelColor(image.width() / 2, image.height() - 3),
              Theme::of(chip->palette()).colour(analysis::VerdictKind::Stretched));
    for (const PictureText::Line& line : pictureText(*shown, {}).lines)
        if (line.outcome.startsWith(QStringLiteral("H2D | D2H"))) {
            EXPECT_EQ(line.kind, analysis::VerdictKind::Stretched);
            EXPECT_TRUE(line.outcome.endsWith(QStringLiteral("stretched by 21 %")))
                << line.outcome.toStdString();
        }
}

TEST(VerdictStripOfMinorPairs, OnlyPairsThatMatterHaveAChip) {
    const view::ViewDataPtr shown = recorded("copy-bound-h200");
    VerdictStrip strip;
    strip.setShown(shown);
    const auto verdicts = comparison::allVerdicts(shown->recording->report);
    const auto minor = std::ranges::count_if(verdicts, &analysis::Verdict::minor);
    ASSERT_GT(minor, 0);
    EXPECT_TRUE(chipOf(strip, "H2D and D2H"));
    EXPECT_FALSE(chipOf(strip, "memset and kernel"));
    const auto* rest = chipOf(strip, "+");
    ASSERT_TRUE(rest);
    EXPECT_TRUE(rest->text().startsWith(QStringLiteral("+%1:").arg(minor))) << rest->text().toStdString();
    EXPECT_TRUE(rest->accessibleDescription().contains(QStringLiteral("memset | kernel")));
    EXPECT_EQ(strip.findChildren<QAbstractButton*>().size(),
              static_cast<qsizetype>(verdicts.size()) - minor + 1)
        << "pairs and nothing else";
}

TEST(VerdictStripByPrice, NoPairIsRedThatCostTheRunNothing) {
    const view::ViewDataPtr shown = recorded("full-grid-h200");
    VerdictStrip strip;
    strip.setShown(shown);
    const auto* chip = chipOf(strip, "memset and kernel");
    ASSERT_TRUE(chip && chip->text().contains(QStringLiteral("SERIALIZED")));
    const auto colourOf = [](const QAbstractButton* of) {
        const QImage image = const_cast<QAbstractButton*>(of)->grab().toImage();
        return image.pixelColor(image.width() / 2, image.height() - 3);
    };
    const Theme& theme = Theme::of(chip->palette());
    EXPECT_EQ(colourOf(chip), theme.colour(analysis::VerdictKind::Apart)) << "the run lost 0.7 % in all";
    strip.setShown(recorded("null-stream-h200"));
    EXPECT_EQ(colourOf(chipOf(strip, "H2D and kernel")), theme.colour(analysis::VerdictKind::Serialized));
}

TEST(VerdictStripOfStretchedPairs, APressSelectsWhatWasStretched) {
    const view::ViewDataPtr shown = recorded("breadth-first-h200");
    VerdictStrip strip;
    strip.setShown(shown);
    QSignalSpy chosen(&strip, &VerdictStrip::placeChosen);
    int stretched = 0;
    for (const analysis::Verdict* verdict : comparison::allVerdicts(*shown->report())) {
        if (verdict->kind != analysis::VerdictKind::Stretched || verdict->minor())
            continue;
        ++stretched;
        const QString name =
            pairName(*shown->report(), *verdict).replace(QStringLiteral(" | "), QStringLiteral(" and "));
        const_cast<QAbstractButton*>(chipOf(strip, qPrintable(name)))->click();
        ASSERT_EQ(chosen.size(), stretched);
        const auto place = chosen.back().front().value<view::Place>();
        EXPECT_EQ(shown->trace().cls(place.op),
                  verdict->slowedA > verdict->slowedB ? verdict->a : verdict->b);
        EXPECT_NE(place.culprit, kNoActivity);
    }
    EXPECT_GT(stretched, 0);
}

TEST(VerdictStripOfMinorPairs, ManyAreOneChipThatNamesThem) {
    TraceBuilder builder;
    recorded("copy-bound-h200")->trace().replay(builder);
    auto made = recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "five pairs", true);
    std::vector<analysis::Verdict>& verdicts = made->report.verdicts;
    verdicts.assign(5, verdicts.front());
    for (std::size_t i = 1; i < verdicts.size(); ++i)
        verdicts[i].ofRun = 0.001 * static_cast<double>(i);
    ASSERT_EQ(comparison::allVerdicts(made->report).size(), 5u);
    VerdictStrip strip;
    strip.setShown(std::make_shared<const view::ViewData>(std::move(made)));
    const auto* rest = chipOf(strip, "+4");
    ASSERT_TRUE(rest);
    EXPECT_TRUE(rest->text().contains(QStringLiteral("each at most 0.4 % of the run")))
        << rest->text().toStdString();
    EXPECT_EQ(rest->accessibleDescription().count(QStringLiteral("of the run")), 4);
}

TEST(VerdictsInPictures, MinorPairsAreGreyAndLast) {
    const view::ViewDataPtr shown = recorded("copy-bound-h200");
    const PictureText text = pictureText(*shown, {});
    bool seen = false;
    for (const PictureText::Line& line : text.lines) {
        if (line.text.contains(QStringLiteral("% of the run"))) {
            seen = true;
            EXPECT_EQ(line.kind, analysis::VerdictKind::Apart) << line.outcome.toStdString();
        } else {
            EXPECT_TRUE(!seen || line.outcome.startsWith(QStringLiteral("efficiency")))
                << line.outcome.toStdString();
        }
        EXPECT_FALSE(line.outcome.contains(QStringLiteral("SERIALIZED"))) << line.outcome.toStdString();
    }
    EXPECT_TRUE(seen);
}
