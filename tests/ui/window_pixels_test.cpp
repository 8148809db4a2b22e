// What the canvas writes straight into its window's pixels against what it paints for a screenshot.
#include "canvas_fixture.h"

#include <timeline/canvas/window_pixels.h>
#include <timeline/rows/timeline_rows.h>

#include <QBackingStore>
#include <QPaintEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// A canvas that does not begin where its window does.
struct CanvasInWindow {
    explicit CanvasInWindow(view::ViewDataPtr recording)
        : canvas(new TimelineCanvas(&window)) {
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(17, 23, 5, 9);
        layout->addWidget(canvas);
        window.resize(900, 420);
        window.show();
        canvas->setShown(std::move(recording));
        QCoreApplication::processEvents();
    }
    QImage onScreen() {
        QCoreApplication::processEvents();
        const auto* image = dynamic_cast<QImage*>(window.backingStore()->paintDevice());
        return image ? image->copy(canvas->geometry()).convertToFormat(QImage::Format_RGB32) : QImage();
    }
    QImage screenshot() {
        QImage image(canvas->size(), QImage::Format_RGB32);
        static_cast<QWidget*>(canvas)->render(&image);
        return image;
    }
    QWidget window;
    TimelineCanvas* canvas;
};

} // namespace

TEST(WindowPixels, MovesLookAsInAScreenshot) {
    CanvasInWindow t(randomShown(31, 900));
    t.canvas->select(ActivityIndex{5});
    for (int move = 0; move < 12; ++move) {
        move % 3 == 2 ? t.canvas->panBy(41) : t.canvas->zoomAt(300 + 40 * move, 0.7);
        const QImage seen = t.onScreen();
        ASSERT_FALSE(seen.isNull());
        ASSERT_EQ(seen, t.screenshot()) << "move " << move;
    }
}

TEST(WindowPixels, PinnedRowsAndTheirHeadingStayWhenTheViewMoves) {
    CanvasInWindow t(randomShown(32, 900));
    t.window.resize(900, 200);
    t.canvas->rows().pin(LaneId{1});
    t.canvas->rows().setScroll(45);
    t.onScreen();
    for (int move = 0; move < 4; ++move) {
        t.canvas->zoomAt(400, 0.8);
        const QImage seen = t.onScreen();
        t.canvas->update();
        TimelineCanvas fresh; // paints all of it anew
        fresh.resize(t.canvas->size());
        fresh.setShown(t.canvas->shown());
        fresh.rows().pin(LaneId{1});
        fresh.rows().setScroll(t.canvas->rows().scroll());
        fresh.showRange(t.canvas->viewport().visible());
        QImage expected(fresh.size(), QImage::Format_RGB32);
        static_cast<QWidget&>(fresh).render(&expected);
        ASSERT_EQ(seen, expected) << "move " << move;
    }
}

TEST(WindowPixels, AreThoseThatThePainterHas) {
    QWidget widget;
    widget.resize(40, 20);
    const QPaintEvent whole(widget.rect());
    QImage image(100, 60, QImage::Format_RGB32);
    QPainter painter(&image);
    const uchar* const pixels = image.constBits();
    EXPECT_EQ(windowPixels(painter, whole, widget).constBits(), pixels);
    painter.translate(10, 5);
    const QImage moved = windowPixels(painter, whole, widget);
    EXPECT_EQ(moved.constBits(), pixels + 5 * image.bytesPerLine() + 10 * 4);
    EXPECT_EQ(moved.size(), widget.size());
    EXPECT_TRUE(windowPixels(painter, QPaintEvent(QRect(0, 0, 39, 20)), widget).isNull()) << "a part of it";
    painter.translate(60, 0);
    EXPECT_TRUE(windowPixels(painter, whole, widget).isNull()) << "beyond the image";
    painter.resetTransform();
    {
        const QImage copy = image; // has pixels of its own, or none are given: never others than painted on
        const QImage given = windowPixels(painter, whole, widget);
        EXPECT_TRUE(given.isNull() || given.constBits() == pixels);
        EXPECT_EQ(image.constBits(), pixels);
    }
    EXPECT_EQ(windowPixels(painter, whole, widget).constBits(), pixels);
}
