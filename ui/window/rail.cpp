#include "window/rail.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <olab/ui/theme.h>

#include <QAction>
#include <QPainter>
#include <QToolButton>

namespace olab::ui {

namespace {

constexpr int kIcon = 20; // in usual type

/// Lines of an icon, each a row of points in a square of 20.
struct RailRow {
    const char *action, *name, *lines;
};

constexpr RailRow kRows[]{
    {"openRecordings", QT_TR_NOOP("Open"), "2,16 2,4 8,4 10,6 17,6 17,9; 2,16 5,9 19,9 16,16 2,16"},
    {"gallery", QT_TR_NOOP("Gallery"),
     "2,2 8,2 8,8 2,8 2,2; 12,2 18,2 18,8 12,8 12,2; "
     "2,12 8,12 8,18 2,18 2,12; 12,12 18,12 18,18 12,18 12,12"},
    {"panelForm", QT_TR_NOOP("Experiment"),
     "2,4 18,4; 2,10 18,10; 2,16 18,16; 6,2 6,6; 13,8 13,12; 8,14 8,18"},
    {"sweep", QT_TR_NOOP("Sweep"), "2,2 2,18 18,18; 4,6 8,11 12,14 18,15"},
    {"live", QT_TR_NOOP("Live"), "1,10 5,10 8,3 12,17 15,10 19,10"},
    {"lessons", QT_TR_NOOP("Learn"), "10,5 3,3 3,15 10,17 17,15 17,3 10,5; 10,5 10,17"},
    {"", nullptr, nullptr}, // the rest stands at the foot
    {"panelRight", QT_TR_NOOP("Inspector"), "2,3 18,3 18,17 2,17 2,3; 12,3 12,17"},
    {"panelPages", QT_TR_NOOP("Pages"), "2,3 18,3 18,17 2,17 2,3; 2,11 18,11"},
};

QPolygonF pointsOf(const QString& line) {
    QPolygonF points;
    for (const QString& point : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        points << QPointF(point.section(QLatin1Char(','), 0, 0).toDouble(),
                          point.section(QLatin1Char(','), 1).toDouble());
    return points;
}

QIcon iconOf(const char* lines, const QColor& ink, qreal size) {
    QPixmap pixmap(QSizeF(size, size).toSize());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / kIcon, size / kIcon);
    painter.setPen(QPen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QString& line : QString::fromLatin1(lines).split(QLatin1Char(';')))
        painter.drawPolyline(pointsOf(line));
    return pixmap;
}

} // namespace

Rail::Rail(const QObject& actions, QWidget* parent)
    : QFrame(parent) {
    setObjectName(QStringLiteral("rail"));
    auto* column = columnIn(this, {2, 4, 2, 4}, 0);
    for (const RailRow& row : kRows)
        if (!row.name)
            column->addStretch(1);
        else if (auto* action = actions.findChild<QAction*>(QLatin1String(row.action)))
            column->addWidget(add(*action, tr(row.name), row.lines));
    new LookWatch(*this, [this] { restyle(); });
    restyle();
}

/// The action keeps its own words in the menu.
QToolButton* Rail::add(QAction& action, const QString& name, const char* lines) {
    auto* button = new QToolButton;
    action.setIconText(name);
    action.setIconVisibleInMenu(false);
    button->setDefaultAction(&action);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_buttons.emplace_back(button, lines);
    return button;
}

void Rail::restyle() {
    const int size = ViewStyle::of(font()).scaled(kIcon);
    for (const auto& [button, lines] : m_buttons) {
        button->setFont(ViewStyle::of(font()).smallFont(font()));
        button->setIconSize({size, size});
        button->defaultAction()->setIcon(
            iconOf(lines, Theme::of(palette()).text, size * devicePixelRatioF()));
    }
    fit();
}

/// Names where there is room for all of them.
void Rail::fit() {
    const int each = ViewStyle::of(font()).scaled(kIcon) + fontMetrics().height() + 8;
    const bool named = height() >= each * static_cast<int>(m_buttons.size());
    for (const auto& [button, lines] : m_buttons)
        button->setToolButtonStyle(named ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly);
}

void Rail::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
}

} // namespace olab::ui
