// Themes, projector and other type while the window shows something: nothing is made or deleted while Qt goes
// through its widgets, and afterwards all of them have the new look.
#include "window_states.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/experiment_form.h>

#include <results/compare_page.h>

#include <QApplication>
#include <QFontInfo>
#include <QLabel>
#include <QPointer>
#include <QTabWidget>

#include <gtest/gtest.h>

#include <algorithm>

#include <functional>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// What the system may do at any time, without the window having asked for it.
class Type {
public:
    ~Type() { QApplication::setFont(m_usual); }
    void larger() {
        QFont font = m_usual;
        font.setPixelSize(QFontInfo(QApplication::font()).pixelSize() == 15 ? 17 : 15);
        QApplication::setFont(font);
    }

private:
    const QFont m_usual = QApplication::font();
};

/// Neither new widgets nor fewer after `change` than before.
void expectSameWidgets(const char* what, const std::function<void()>& change) {
    std::vector<QPointer<QWidget>> before;
    for (QWidget* widget : QApplication::allWidgets())
        before.emplace_back(widget);
    change();
    EXPECT_EQ(QApplication::allWidgets().size(), static_cast<qsizetype>(before.size())) << what;
    EXPECT_EQ(std::ranges::count_if(before, &QPointer<QWidget>::isNull), 0) << what;
}

std::set<QString> coloursOf(const Theme& theme) {
    std::set<QString> names;
    for (const QColor& colour : {theme.window, theme.raised, theme.text, theme.dim, theme.line, theme.error,
                                 theme.errorText, theme.accent})
        names.insert(colour.name());
    for (const QColor& colour : theme.verdict)
        names.insert(colour.name());
    return names;
}

/// Widgets whose own style has colours that only `other` has.
QStringList withColoursOf(const Theme& other, const Theme& now, const QWidget& window) {
    const std::set<QString> right = coloursOf(now);
    QStringList found;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        for (const QString& colour : coloursOf(other))
            if (!right.contains(colour) && widget->styleSheet().contains(colour))
                found << QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') +
                             widget->objectName() + QLatin1Char(' ') + colour;
    return found;
}

} // namespace

TEST(Restyle, NoWidgetIsMadeOrDeletedWhileQtGoesThroughThem) {
    Type type;
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    t.window.showError({ErrorKind::Usage, "test", "Something went wrong.", "Do it again."});
    QStringList pages{QStringLiteral("compare")};
    for (const char* page : kPages)
        pages << QLatin1String(page);
    bool on = false; // forth with one page, back with the next
    for (const QString& page : pages) {
        ASSERT_TRUE(t.window.showPage(page));
        t.settle();
        SCOPED_TRACE(page.toStdString());
        on = !on;
        expectSameWidgets("theme", [&] { t.window.setTheme(on ? ThemeChoice::Dark : ThemeChoice::Light); });
        t.settle();
        expectSameWidgets("projector or desk", [&] { t.window.setProjector(on); });
        t.settle();
        expectSameWidgets("type", [&] { type.larger(); });
        t.settle();
    }
}

TEST(Restyle, TwoComparedRunsSurviveWhateverTheLookDoes) {
    Type type;
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    for (const char* page : {"compare", "findings", "matrix", "charts", "compare"}) {
        t.window.setProjector(true); // at once, as two keys pressed quickly
        ASSERT_TRUE(t.window.showPage(QLatin1String(page)));
        t.settle();
        t.window.setTheme(ThemeChoice::Dark);
        t.settle();
        t.window.setTheme(ThemeChoice::Light);
        t.window.setProjector(false);
        type.larger();
        t.settle();
        EXPECT_FALSE(t.window.grab().isNull());
    }
    ASSERT_TRUE(t.window.showPage(QStringLiteral("compare")));
    EXPECT_FALSE(t.window.comparison().empty());
    EXPECT_TRUE(t.window.comparison().isVisible());
}

TEST(Restyle, EveryPartTakesTheNewColours) {
    StatefulWindow t;
    t.window.setTheme(ThemeChoice::Light);
    ASSERT_TRUE(t.compareTwo());
    t.window.showError({ErrorKind::Usage, "test", "Something went wrong.", "Do it again."});
    experiment::HeldExperiment nothing;
    for (const char* step : {"h2d", "memset", "kernel", "d2h"})
        experiment::setOption(nothing, step, "off");
    t.window.form().setExperiment(nothing); // the form says why it cannot run
    t.settle();
    const Theme *light = &Theme::light(), *dark = &Theme::darkTheme();
    EXPECT_FALSE(withColoursOf(*light, *dark, t.window).isEmpty()) << "there is something to see";
    for (const auto& [choice, now, other] :
         {std::tuple{ThemeChoice::Dark, dark, light}, {ThemeChoice::Light, light, dark}}) {
        t.window.setTheme(choice);
        t.settle();
        EXPECT_TRUE(withColoursOf(*other, *now, t.window).isEmpty())
            << qPrintable(withColoursOf(*other, *now, t.window).join(QStringLiteral("; ")));
    }
}

TEST(Restyle, WhatIsBuiltWithSizesOfItsOwnTakesTheNewType) {
    Type type;
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    const int before = t.window.comparison().wantedHeight(900);
    t.window.setProjector(true);
    t.settle();
    EXPECT_GT(t.window.comparison().wantedHeight(900), before * 3 / 2);
    t.window.setProjector(false);
    t.settle();
    EXPECT_EQ(t.window.comparison().wantedHeight(900), before);
}
