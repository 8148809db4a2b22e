#include "window/window_layout.h"

#include "base/kept_inside.h"
#include "base/page_parts.h"
#include "experiment/experiment_panel.h"
#include "window/pages.h"
#include "window/rail.h"
#include "window/rooms/lesson_room.h"
#include "window/runs/summary.h"
#include "window/window_parts.h"

#include <olab/ui/theme.h>

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr QMargins kFrame(2, 32, 2, 2); // about: a window has none before it is shown
constexpr int kTallEnough = 900;        // for the pages below the timeline, in large type
constexpr int kLeastHeight = 180;       // of all below the verdict, whatever is shown there
constexpr int kDeskWidth = 1440, kDeskForm = 262, kDeskRight = 250; // at first
// In usual type:
constexpr int kFormWidth = 190, kRightWidth = 175; // beside a projector's view
constexpr int kWidestPanel = 4000;                 // what settings may say
constexpr int kLeastPages = 65;                    // their tabs and the first lines

/// What the rail finds it by.
const char* partAction(Part part) {
    return part == Part::Form ? "panelForm" : part == Part::Right ? "panelRight" : "panelPages";
}

QWidget* titled(const QString& title, QWidget& content) {
    auto* box = new QWidget;
    auto* column = columnIn(box, {}, 0);
    auto* label = makeLabel(title);
    label->setFont(boldOf(label->font()));
    label->setContentsMargins(10, 6, 10, 6);
    column->addWidget(label);
    column->addWidget(&content, 1);
    return box;
}

QSplitter* splitter(Qt::Orientation direction, std::initializer_list<QWidget*> parts,
                    std::initializer_list<int> stretch, const QList<int>& sizes) {
    auto* made = new QSplitter(direction);
    for (QWidget* part : parts)
        made->addWidget(part);
    for (int i = 0; const int factor : stretch)
        made->setStretchFactor(i++, factor);
    made->setSizes(sizes);
    made->setChildrenCollapsible(false);
    return made;
}

} // namespace

WindowLayout::WindowLayout(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {}

// --- built

QWidget* WindowLayout::makeMiddle(QWidget& timeline) {
    m_middle = splitter(Qt::Vertical, {&timeline, &m_parts.pages}, {3, 1}, {560, 220});
    return m_middle;
}

void WindowLayout::makeRight(QWidget& inspector, QWidget& runs) {
    m_inspectorBox = titled(tr("Inspector"), inspector);
    m_runsBox = titled(tr("Runs"), runs);
    m_right = splitter(Qt::Vertical, {m_inspectorBox, m_runsBox}, {2, 1}, {520, 260});
}

QWidget* WindowLayout::makeColumns(QWidget& middle) {
    m_columns = splitter(Qt::Horizontal, {&m_parts.panel, &middle, m_right}, {0, 1, 0},
                         {kDeskForm, kDeskWidth - kDeskForm - kDeskRight, kDeskRight});
    m_columns->setObjectName(QStringLiteral("columns"));
    m_columns->setMinimumHeight(kLeastHeight);
    connect(m_middle, &QSplitter::splitterMoved, this, [this] { m_beforeGiving.clear(); });
    connect(m_columns, &QSplitter::splitterMoved, this, &WindowLayout::keepWidths);
    for (QSplitter* each : {m_columns, m_middle, m_right})
        connect(each, &QSplitter::splitterMoved, this, &WindowLayout::changed);
    return m_columns;
}

void WindowLayout::addRail(QBoxLayout& row) {
    m_rail = new Rail(m_parts.window);
    row.insertWidget(0, m_rail);
    showRail();
}

/// A class has no use for it.
void WindowLayout::showRail() {
    if (m_rail)
        m_rail->setHidden(m_isAlone || projector());
}

void WindowLayout::addThemeActions(QMenu& menu) {
    auto* group = new QActionGroup(this);
    for (const auto& [text, choice] : {std::pair{tr("Theme: &system"), ThemeChoice::System},
                                       std::pair{tr("Theme: &light"), ThemeChoice::Light},
                                       std::pair{tr("Theme: &dark"), ThemeChoice::Dark}}) {
        QAction* action = addEntry(menu, text, this, [this, choice = choice] {
            m_chosenTheme = choice;
            setTheme(choice);
        });
        action->setCheckable(true);
        group->addAction(action);
        m_themeActions[static_cast<std::size_t>(choice)] = action;
    }
    m_projectorAction =
        menu.addAction(tr("&Projector: large type"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this,
                       [this](bool on) { setProjector(on); });
    m_projectorAction->setCheckable(true);
    setTip(*m_projectorAction, tr("Type, lines and contrast that are read across a room"));
}

void WindowLayout::addPartActions(QMenu& menu) {
    const auto add = [&](Part part, const QString& text, Qt::Key key) {
        QAction* action = addEntry(menu, text, this, [this, part](bool on) { toggled(part, on); });
        action->setShortcut(QKeySequence(Qt::CTRL | key));
        action->setObjectName(QLatin1String(partAction(part)));
        action->setCheckable(true);
        action->setChecked(true);
        actionOf(part) = action;
    };
    add(Part::Form, tr("&Experiment panel"), Qt::Key_1);
    add(Part::Right, tr("I&nspector and runs"), Qt::Key_2);
    add(Part::Pages, tr("Pages &below the timeline"), Qt::Key_3);
    m_aloneAction = menu.addAction(tr("Timeline &alone"), QKeySequence(Qt::Key_F11), this, [this](bool on) {
        if (on)
            emit timelineWanted();
        setAlone(on && m_facts.isShown);
    });
    m_aloneAction->setCheckable(true);
    auto* full = addEntry(menu, tr("F&ull screen"), this, [&window = m_parts.window] {
        window.setWindowState(window.windowState() ^ Qt::WindowFullScreen);
    });
    full->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F11));
    setTip(*m_aloneAction,
           tr("Nothing but the lanes: panels, pages and the lines above them make room. F11 or "
              "Esc brings them back"));
}

// --- how it looks

void WindowLayout::setTheme(ThemeChoice choice) {
    m_theme = choice;
    m_themeActions[static_cast<std::size_t>(choice)]->setChecked(true);
    emit changed(); // of the projector too, which comes here
    applyTheme(choice,
               m_projectorAction->isChecked()); // each part hears of it and sees to itself (LookWatch)
}

/// The form is made for one person at a desk: it makes room for the view, as do the pages in a low window;
/// each is a key away.
void WindowLayout::setProjector(bool on) {
    if (on != m_isForProjector) {
        setAlone(false);
        keepWidths();
        m_isForProjector = on;
        showRail();
        m_rightBeforeReading.reset();
        if (on)
            m_deskColumns = m_columns->saveState();
        m_projectorAction->setChecked(on);
        set(Part::Form, !on);
        set(Part::Pages, !on || m_parts.window.height() >= kTallEnough);
        m_rightMadeRoom = false;
        if (!on)
            settle();
    }
    setTheme(m_theme);
    QTimer::singleShot(0, this, &WindowLayout::shareRoom); // when the type has its new size
}

// --- who gets how much room

void WindowLayout::shareRoom() {
    // What it says is also said by the badge of what is shown, when pointed at.
    const QMainWindow& window = m_parts.window;
    const bool isLow = projector() && !m_parts.pages.isHidden() && window.height() < kTallEnough;
    const bool isNarrow = !m_parts.panel.isHidden() || (m_parts.lessons && m_parts.lessons->shown());
    m_parts.summary.setMakesRoom(isLow, isLow && isNarrow); // lanes, top finding come first
    if (!projector()) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // all know how narrow they can be
        m_columns->restoreState(m_deskColumns);
        for (const Part side : {Part::Form, Part::Right})
            widen(side);
        return;
    }
    const ViewStyle sizes = ViewStyle::of(window.font());
    const int left = m_parts.panel.isHidden() ? 0 : sizes.scaled(kFormWidth);
    const int right = m_right->isHidden() ? 0 : sizes.scaled(kRightWidth);
    m_columns->setSizes({left, std::max(window.width() - left - right, 1), right});
    QTimer::singleShot(0, this, &WindowLayout::sharePages); // the verdicts may wrap otherwise now
}

/// The lanes first: the pages get a quarter, at least so much that the top finding is seen.
void WindowLayout::sharePages() {
    if (!projector() || m_parts.pages.isHidden())
        return;
    const int all = m_middle->height();
    const int pages = std::max(ViewStyle::of(m_parts.window.font()).scaled(kLeastPages), all / 4);
    m_middle->setSizes({std::max(all - pages, pages), pages});
}

void WindowLayout::givePages(int wanted) {
    const int all = m_middle->height(), given = std::min(wanted, all / 2);
    if (m_parts.pages.height() >= given)
        return;
    if (m_beforeGiving.isEmpty())
        m_beforeGiving = m_middle->saveState();
    m_middle->setSizes({all - given, given});
}

void WindowLayout::takeBackPages() {
    if (!m_beforeGiving.isEmpty())
        m_middle->restoreState(std::exchange(m_beforeGiving, {}));
}

void WindowLayout::keepToScreen() {
    QMainWindow& window = m_parts.window;
    if (window.isMaximized() || window.isFullScreen())
        return;
    const QScreen* at = QGuiApplication::screenAt(window.geometry().center());
    const QRect room = (at ? at : window.screen())->availableGeometry().marginsRemoved(kFrame);
    const QRect inside = keptInside(window.geometry(), room);
    window.testAttribute(Qt::WA_Moved) ? window.setGeometry(inside) : window.resize(inside.size());
}

// --- from one start to the next

void WindowLayout::restore(const QSettings& settings) {
    m_columns->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
    m_middle->restoreState(settings.value(QStringLiteral("middle")).toByteArray());
    m_right->restoreState(settings.value(QStringLiteral("right")).toByteArray());
    const QVariantList widths = settings.value(QStringLiteral("panelWidths")).toList();
    for (qsizetype i = 0; i < std::min<qsizetype>(widths.size(), 3); ++i)
        m_widths[static_cast<std::size_t>(i)] = std::clamp(widths[i].toInt(), 0, kWidestPanel);
    m_choices = PanelChoices::fromJson(settings.value(QStringLiteral("panels")).toByteArray());
    const int theme = settings.value(QStringLiteral("theme"), 0).toInt();
    m_chosenTheme = m_theme = theme == 1   ? ThemeChoice::Light
                              : theme == 2 ? ThemeChoice::Dark
                                           : ThemeChoice::System;
    settle();
    setProjector(settings.value(QStringLiteral("projector")).toBool());
}

void WindowLayout::store(QSettings& settings) const {
    settings.setValue(QStringLiteral("columns"), projector() ? m_deskColumns : m_columns->saveState());
    settings.setValue(QStringLiteral("middle"),
                      m_beforeGiving.isEmpty() ? m_middle->saveState() : m_beforeGiving);
    settings.setValue(QStringLiteral("right"), m_right->saveState());
    settings.setValue(QStringLiteral("panels"), m_choices.toJson());
    QVariantList widths;
    for (const int width : m_widths)
        widths << width;
    settings.setValue(QStringLiteral("panelWidths"), widths);
    settings.setValue(QStringLiteral("theme"), static_cast<int>(m_chosenTheme));
    settings.setValue(QStringLiteral("projector"), projector());
}

} // namespace olab::ui
