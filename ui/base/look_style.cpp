#include "base/look_style.h"

#include <olab/ui/theme.h>

#include <QEvent>
#include <QPainter>
#include <QStyleOption>
#include <QWidget>

#include <utility>

namespace olab::ui {

LookWatch::LookWatch(QWidget& widget, std::function<void()> restyle)
    : QObject(&widget)
    , m_restyle(std::move(restyle)) {
    widget.installEventFilter(this);
}

bool LookWatch::eventFilter(QObject*, QEvent* event) {
    const bool look = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (look && !std::exchange(m_waits, true))
        QMetaObject::invokeMethod(this, &LookWatch::tell, Qt::QueuedConnection);
    return false;
}

void LookWatch::tell() {
    m_waits = false; // before the call: what changes meanwhile is told, too
    m_restyle();
}

namespace {

constexpr int kHeaderMargin = 4, kTipMargin = 4;
constexpr int kBoxSlack = 4; ///< of a check box behind its words: the form is narrow
constexpr double kRound = 3;

/// Of fields to fill in: at least 3:1 beside the window, which Fusion's own is not when it is dark.
QColor outlineOf(const Theme& t) {
    const auto mix = [](int strong, int weak) { return (7 * strong + 3 * weak) / 10; };
    return {mix(t.dim.red(), t.window.red()), mix(t.dim.green(), t.window.green()),
            mix(t.dim.blue(), t.window.blue())};
}

/// What a button in the accent is drawn with.
struct ButtonColours {
    QColor fill, ink, edge;
    int width = 1; ///< of the edge
};

bool isNamed(const QWidget* widget, const char* name) {
    return widget && widget->objectName() == QLatin1String(name);
}

bool isInAccent(const QWidget* widget) {
    return isNamed(widget, LookStyle::kRun) || isNamed(widget, LookStyle::kBackend);
}

ButtonColours coloursOf(const QStyleOption& option, const QWidget& widget) {
    const Theme& t = Theme::of(option.palette);
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool isRun = isNamed(&widget, LookStyle::kRun);
    const bool filled = isRun ? enabled : bool(option.state & QStyle::State_On);
    ButtonColours colours = filled ? ButtonColours{t.accent, inkOn(t.accent), t.accent}
                                   : ButtonColours{t.raised, enabled ? t.text : t.dim, t.line};
    const bool isPointedAt = isRun && (option.state & QStyle::State_MouseOver);
    if (enabled && (isPointedAt || (option.state & QStyle::State_HasFocus))) {
        colours.edge = t.text;
        colours.width = 2;
    }
    return colours;
}

void drawEdge(QPainter& painter, const QRect& rect, const QColor& colour, int width, double round) {
    const double half = width / 2.0;
    painter.setPen(QPen(colour, width));
    painter.drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), round, round);
}

void drawButton(QPainter& painter, const QStyleOption& option, const QWidget& widget) {
    const ButtonColours colours = coloursOf(option, widget);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(colours.fill);
    drawEdge(painter, option.rect, colours.edge, colours.width, isNamed(&widget, LookStyle::kRun) ? 4 : 0);
    painter.restore();
}

void drawOutline(QPainter& painter, const QStyleOption& option, double round) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    drawEdge(painter, option.rect, outlineOf(Theme::of(option.palette)), 1, round);
    painter.restore();
}

void drawTip(QPainter& painter, const QStyleOption& option) {
    painter.save();
    painter.setPen(Theme::of(option.palette).line);
    painter.setBrush(option.palette.toolTipBase());
    painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    painter.restore();
}

/// The words of a button in the accent, in the ink that is read on it.
template <class Option>
Option inItsInk(const QStyleOption& option, const QWidget& widget) {
    Option own = static_cast<const Option&>(option);
    own.palette.setColor(QPalette::ButtonText, coloursOf(option, widget).ink);
    return own;
}

} // namespace

LookStyle::LookStyle()
    : QProxyStyle(QStringLiteral("Fusion")) {}

void LookStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    if (element == PE_FrameStatusBarItem)
        return;
    if (element == PE_PanelTipLabel)
        return drawTip(*painter, *option);
    if ((element == PE_PanelButtonCommand || element == PE_PanelButtonTool) && isInAccent(widget))
        return drawButton(*painter, *option, *widget);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isField = element == PE_FrameLineEdit && !(option->state & State_HasFocus);
    const bool isEmptyBox = element == PE_IndicatorCheckBox && (option->state & State_Off);
    if ((isField || isEmptyBox) && (option->state & State_Enabled))
        drawOutline(*painter, *option, kRound);
    if (element == PE_IndicatorRadioButton && (option->state & State_Enabled))
        drawOutline(*painter, *option, option->rect.height() / 2.0);
}

void LookStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const {
    if (element == CE_Splitter)
        return painter->fillRect(option->rect, Theme::of(option->palette).line);
    if (element == CE_PushButtonLabel && isInAccent(widget)) {
        const auto own = inItsInk<QStyleOptionButton>(*option, *widget);
        return QProxyStyle::drawControl(element, &own, painter, widget);
    }
    if (element == CE_ToolButtonLabel && isInAccent(widget)) {
        const auto own = inItsInk<QStyleOptionToolButton>(*option, *widget);
        return QProxyStyle::drawControl(element, &own, painter, widget);
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

int LookStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_SplitterWidth:
        return widget ? ViewStyle::of(widget->font()).line : 1;
    case PM_HeaderMargin:
        return kHeaderMargin;
    case PM_ToolTipLabelFrameWidth:
        return kTipMargin;
    case PM_TabBarTabHSpace: { // so that all pages' tabs are seen in a window of 1280
        const int usual = QProxyStyle::pixelMetric(metric, option, widget);
        return isNamed(widget, kPages) ? usual * 3 / 5 : usual;
    }
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize LookStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                  const QWidget* widget) const {
    const QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    return type == CT_CheckBox ? size - QSize(kBoxSlack, 0) : size;
}

} // namespace olab::ui
