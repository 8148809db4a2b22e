// Bars coloured by something else than their class: in the window, in its legend, in its menu, in pictures.
#include "canvas_fixture.h"
#include "patience.h"

#include <olab/recording/recording.h>
#include <olab/ui/picture.h>
#include <olab/ui/strip_painter.h>
#include <olab/ui/timeline_view.h>

#include <timeline/canvas/bar_colouring.h>
#include <timeline/canvas/legend.h>

#include <QMenu>
#include <QToolButton>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr twoKernels() {
    ActivityRecord gemm = deviceWork(ActivityClass::Kernel, 1'000'000, 1'400'000, 13);
    gemm.name = textId("gemm");
    ActivityRecord relu = deviceWork(ActivityClass::Kernel, 1'500'000, 1'700'000, 14);
    relu.name = textId("relu");
    return shownOf({gemm, relu});
}

QColor barColourOn(TimelineCanvas& canvas, ActivityIndex activity) {
    const std::vector<QRect> places = canvas.map().rectsOf(activity);
    if (places.empty())
        return {};
    const QRect& bar = places.front();
    return colourAt(canvas.grab().toImage(), QPoint(bar.right() - 6, bar.center().y()));
}

QColor named(const char* name) {
    return colourOf(view::colourOfName(name), Theme::light());
}

} // namespace

TEST(ColourBy, BarsHaveTheColourOfTheirName) {
    CanvasOnScreen t(twoKernels());
    EXPECT_EQ(barColourOn(t.canvas, 0), Theme::light().colour(ActivityClass::Kernel));
    t.canvas.setColourBy(view::ColourBy::Name);
    EXPECT_EQ(barColourOn(t.canvas, 0), named("gemm"));
    EXPECT_EQ(barColourOn(t.canvas, 1), named("relu"));
    EXPECT_NE(named("gemm"), named("relu"));
    t.canvas.setShown(twoKernels());
    EXPECT_EQ(barColourOn(t.canvas, 0), named("gemm")) << "it stays for the next recording";
    t.canvas.setColourBy(view::ColourBy::Class);
    EXPECT_EQ(barColourOn(t.canvas, 0), Theme::light().colour(ActivityClass::Kernel));
}

TEST(ColourBy, TheLegendFollowsAndItsButtonChooses) {
    TimelineView view;
    view.resize(1000, 500);
    view.setShown(twoKernels());
    view.show();
    auto* legend = view.findChild<Legend*>();
    auto* button = view.findChild<QToolButton*>(QStringLiteral("colourBy"));
    ASSERT_TRUE(legend && button && button->menu());
    EXPECT_TRUE(legend->names().contains(QStringLiteral("kernel")));
    const QList<QAction*>& actions = view.colourActions().actions();
    EXPECT_EQ(button->menu()->actions(), actions) << "the same as in the View menu";
    ASSERT_EQ(actions[1]->objectName(), QStringLiteral("colourBy.name"));
    actions[1]->trigger();
    EXPECT_EQ(legend->names().mid(0, 2), QStringList({QStringLiteral("gemm"), QStringLiteral("relu")}));
    EXPECT_FALSE(legend->names().contains(QStringLiteral("kernel")));
    EXPECT_TRUE(button->text().contains(QStringLiteral("name")));
    view.canvas().setColourBy(view::ColourBy::Stream);
    EXPECT_TRUE(actions[2]->isChecked());
    EXPECT_TRUE(legend->names().contains(QStringLiteral("stream 13")));
    for (const QRect& place : legend->placesIn(legend->width()))
        EXPECT_FALSE(place.intersects(button->geometry()));
}

TEST(ColourBy, ALargeRecordingIsColouredOffTheThreadOfTheWindow) {
    CanvasOnScreen t(randomShown(6, 130'000));
    t.canvas.setColourBy(view::ColourBy::Stream);
    EXPECT_TRUE(t.canvas.colours().isMaking());
    EXPECT_TRUE(QTest::qWaitFor([&] { return t.canvas.colours().made() != nullptr; }, kPatience));
    t.canvas.setColourBy(view::ColourBy::Name); // and given up
    t.canvas.setShown(twoKernels());
    EXPECT_EQ(barColourOn(t.canvas, 0), named("gemm"));
}

TEST(ColourBy, PicturesCarryTheColoursAndTheirLegend) {
    const view::ViewDataPtr shown = twoKernels();
    PictureRequest request;
    request.colourBy = view::ColourBy::Name;
    for (const char* const ending : {"x.svg", "x.html"}) {
        const QByteArray made = pictureFormatOf(QString::fromLatin1(ending)).make(*shown, request);
        EXPECT_TRUE(made.contains(named("gemm").name().toLatin1())) << ending;
        EXPECT_TRUE(made.contains(named("relu").name().toLatin1())) << ending;
        EXPECT_TRUE(made.contains("relu")) << ending;
        request.colourBy = view::ColourBy::Class;
        EXPECT_FALSE(pictureFormatOf(QString::fromLatin1(ending))
                         .make(*shown, request)
                         .contains(named("relu").name().toLatin1()))
            << ending;
        request.colourBy = view::ColourBy::Name;
    }
    const QImage image = pictureImage(*shown, request);
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            pixels += image.pixelColor(x, y) == named("gemm");
    EXPECT_GT(pixels, 1000);
}
