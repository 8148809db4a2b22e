// What is written in the window can be read: whole, and with a projector across a room.
#include "patience.h"
#include "shown_fixture.h"
#include "text_listener.h"
#include "usual_look.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <base/page_parts.h>
#include <pictures/picture_painter.h>
#include <results/verdict_strip.h>
#include <timeline/rows/row_layout.h>
#include <timeline/rows/timeline_rows.h>
#include <window/help.h>
#include <window/window_layout.h>
#include <window/window_parts.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFontInfo>
#include <QFontMetrics>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct ReadableDesk {
    explicit ReadableDesk(bool remember = false)
        : window(session, {.remember = remember, .askBeforeClose = false}) {
        window.resize(1280, 720);
        window.show();
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.run();
        ran = QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
        settle();
    }
    static void settle() {
        for (int i = 0; i < 4; ++i)
            QCoreApplication::processEvents();
    }
    UsualLook look;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window;
    bool ran = false;
};

/// How wide a label's or a button's text is, and whether it has that much.
bool isWhole(const QLabel& label) {
    if (qobject_cast<const ElidedLabel*>(&label) || label.text().isEmpty())
        return true; // says what it leaves out
    const QRect room = label.contentsRect();
    if (label.wordWrap())
        return label.textFormat() == Qt::PlainText
                   ? label.fontMetrics()
                             .boundingRect(QRect(0, 0, room.width(), 10'000), Qt::TextWordWrap, label.text())
                             .height() <= room.height() + 1
                   : label.heightForWidth(label.width()) <= label.height() + 1 ||
                         label.textFormat() == Qt::RichText;
    return label.fontMetrics().size(0, label.text()).width() <= room.width() + 1 &&
           label.fontMetrics().size(0, label.text()).height() <= room.height() + 1;
}

bool isWhole(const QAbstractButton& button) {
    return button.text().isEmpty() ||
           button.width() + 1 >= std::min(button.sizeHint().width(), button.minimumSizeHint().width());
}

/// Texts that do not fit where they stand.
QStringList clipped(const QWidget& window) {
    QStringList found;
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible() && !isWhole(*label))
            found << QStringLiteral("label %1").arg(label->text());
    for (const QWidget* chip : window.findChild<VerdictStrip*>()->findChildren<QAbstractButton*>())
        if (!chip->parentWidget()->rect().contains(chip->geometry()))
            found << QStringLiteral("chip %1").arg(chip->accessibleName());
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible() && !isWhole(*button))
            found << QStringLiteral("button %1").arg(button->text());
    return found;
}

QStringList smallType(const QWidget& window, int least) {
    QStringList found;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && QFontInfo(widget->font()).pixelSize() < least)
            found << QStringLiteral("%1 %2: %3")
                         .arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                         .arg(QFontInfo(widget->font()).pixelSize());
    return found;
}

int smallestOf(const TextPaper& paper) {
    int smallest = 1000;
    for (const PaintedText& text : paper.listener.texts)
        smallest = std::min(smallest, text.pixelSize);
    return smallest;
}

/// What a widget paints itself, its letters at least.
int smallestPainted(QWidget& widget) {
    TextPaper paper(widget.size());
    widget.render(&paper, {}, {}, QWidget::DrawWindowBackground);
    return smallestOf(paper);
}

} // namespace

TEST(Readable, NothingIsCutAt1280By720) {
    ReadableDesk t;
    ASSERT_TRUE(t.ran);
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark})
        for (const bool large : {false, true}) {
            t.window.setTheme(theme);
            t.window.setProjector(large);
            t.settle();
            EXPECT_EQ(t.window.size(), QSize(1280, 720)) << "the window may not grow, projector " << large;
            auto* pages = t.window.findChild<QTabWidget*>();
            for (const char* page : {"matrix", "activities", "charts", "log", "findings"}) {
                pages->setVisible(true);
                t.window.showPage(QLatin1String(page));
                t.settle();
                EXPECT_EQ(t.window.size(), QSize(1280, 720)) << page << large;
                EXPECT_GE(t.window.timeline().canvas().height(), 80);
                EXPECT_TRUE(clipped(t.window).isEmpty())
                    << page << large << ": " << qPrintable(clipped(t.window).join(QStringLiteral("; ")));
            }
        }
}

TEST(Readable, WithAProjectorAllTypeIs18PtOrMore) {
    ReadableDesk t;
    ASSERT_TRUE(t.ran);
    t.window.setProjector(true);
    t.window.findChild<QTabWidget*>()->setVisible(true);
    t.settle();
    for (const char* page : {"matrix", "activities", "charts", "log", "findings"}) {
        t.window.showPage(QLatin1String(page));
        t.settle();
        EXPECT_TRUE(smallType(t.window, 24).isEmpty())
            << page << ": " << qPrintable(smallType(t.window, 24).join(QStringLiteral("; ")));
    }
    for (const QTableView* table : t.window.findChildren<QTableView*>()) {
        if (table->model()->rowCount() > 0) {
            EXPECT_GE(table->rowHeight(0), QFontMetrics(table->font()).height()) << "rows hold their text";
        }
    }
    TimelineCanvas& canvas = t.window.timeline().canvas();
    const ViewStyle& sizes = canvas.viewStyle();
    EXPECT_TRUE(sizes.projector());
    EXPECT_GE(std::min(sizes.type, sizes.small), 24);
    EXPECT_GE(std::min(sizes.line, sizes.strong), 3);
    canvas.measure(canvas.viewport().visible());
    int painting = 0;
    for (QWidget* widget : t.window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->window() == &t.window) {
            const int smallest = smallestPainted(*widget);
            EXPECT_GE(smallest, 24) << widget->metaObject()->className();
            painting += smallest < 1000;
        }
    EXPECT_GT(painting, 20);
    const Theme& theme = Theme::of(t.window.palette());
    EXPECT_GE(contrastRatio(theme.text, theme.base), 15);
    EXPECT_GE(contrastRatio(theme.dim, theme.base), 7);
    EXPECT_GE(contrastRatio(theme.line, theme.base), 3);
}

TEST(Readable, WithAProjectorThePictureIsTheSame) {
    const view::ViewDataPtr shown = smallShown();
    for (const bool dark : {false, true}) {
        PictureRequest request;
        request.projector = true;
        request.dark = dark;
        PicturePainter picture(*shown, request);
        TextPaper paper(picture.size());
        QPainter painter(&paper);
        picture.paint(painter);
        painter.end();
        EXPECT_GT(paper.listener.texts.size(), 20u);
        EXPECT_GE(smallestOf(paper), 24);
    }
}

TEST(Readable, TheTickOfAProjectorIsThickAndTheFillStillTrue) {
    const view::ViewDataPtr shown = randomShown(21, 4000);
    PictureRequest request;
    request.projector = true;
    const QImage large = pictureImage(*shown, request);
    request.projector = false;
    const QImage usual = pictureImage(*shown, request);
    const auto count = [](const QImage& image, const QColor& colour) {
        qint64 found = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                found += image.pixel(x, y) == colour.rgb();
        return found;
    };
    EXPECT_GT(count(large, Theme::of(false, true).tick), count(usual, Theme::light().tick));
}

TEST(Readable, TheProjectorIsRememberedAndMakesRoom) {
    QSettings().clear();
    QList<int> desk;
    {
        ReadableDesk t(true);
        auto* columns = t.window.findChild<QSplitter*>(QStringLiteral("columns"));
        columns->setSizes({300, 700, 260});
        desk = columns->sizes();
        EXPECT_TRUE(t.window.form().isVisible());
        t.window.setProjector(true);
        t.settle();
        EXPECT_FALSE(t.window.form().isVisible()) << "the form makes room";
        EXPECT_GT(t.window.timeline().canvas().width(), 800);
        t.window.close();
    }
    ReadableDesk again(true);
    EXPECT_TRUE(again.window.parts().layout.projector());
    EXPECT_TRUE(again.window.timeline().canvas().viewStyle().projector());
    again.window.setProjector(false);
    again.settle();
    EXPECT_FALSE(again.window.timeline().canvas().viewStyle().projector());
    EXPECT_EQ(again.window.findChild<QSplitter*>(QStringLiteral("columns"))->sizes(), desk);
    again.window.close();
    QSettings().clear();
}

TEST(Readable, NamesOfRowsThatAreCutSayThemselvesInTheTooltip) {
    ReadableDesk t;
    ASSERT_TRUE(t.ran);
    t.window.setProjector(true);
    t.settle();
    const TimelineCanvas& canvas = t.window.timeline().canvas();
    const QFontMetrics metrics(canvas.viewStyle().typeFont(canvas.font()));
    int names = 0;
    for (const Row& row : canvas.rows().layout().rows)
        if (row.kind != Row::Kind::Group) {
            const int room = canvas.gutter() - canvas.viewStyle().scaled(16) - canvas.viewStyle().line;
            EXPECT_LE(metrics.horizontalAdvance(row.label), room) << qPrintable(row.label);
            ++names;
        }
    EXPECT_GT(names, 5);
}

TEST(Readable, TheListOfKeysFitsIntoTheWindowWithEveryKey) {
    ReadableDesk t;
    for (const bool large : {false, true}) {
        t.window.setProjector(large);
        t.settle();
        showKeys(&t.window);
        auto* dialog = t.window.findChild<QDialog*>(QStringLiteral("keys"));
        ASSERT_NE(dialog, nullptr);
        t.settle();
        EXPECT_LE(dialog->height(), 720);
        EXPECT_LE(dialog->width(), 1280);
        auto* list = dialog->findChild<QTextBrowser*>();
        for (const KeyHelp& row : keyList())
            EXPECT_TRUE(list->toPlainText().contains(QLatin1String(row.keys))) << row.keys;
        EXPECT_FALSE(list->horizontalScrollBar()->isVisible()) << "read from top to bottom only";
        delete dialog;
    }
}
