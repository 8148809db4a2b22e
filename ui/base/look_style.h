// How the program looks beyond its palette and type: Fusion, with lines, fields and the buttons that matter
// drawn its own way. Colours come from the palette of what is drawn and sizes from its type, so a change of
// either needs nothing of this. A style sheet over the application could say the same, but Qt matches the
// rules of one to every widget whenever any is made, put elsewhere or changes its look, which was half of the
// time of the whole window. GUI thread.
#pragma once

#include <QObject>
#include <QProxyStyle>

#include <functional>

class QWidget;

namespace olab::ui {

/// Tells its owner that the look of a widget (palette, type) has changed, once, when Qt has told all widgets
/// of it. While Qt goes through the widgets of the program none may be made or deleted: it keeps a list of
/// them. So what is built with colours or sizes of its own is built again from here, never from
/// changeEvent(). GUI thread; owned by the widget.
class LookWatch final : public QObject {
    Q_OBJECT
public:
    LookWatch(QWidget& widget, std::function<void()> restyle);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();
    std::function<void()> m_restyle;
    bool m_waits = false; ///< several events of one change are one call
};

class LookStyle final : public QProxyStyle {
    Q_OBJECT
public:
    /// Object names of the buttons in the accent: the one that starts a run, and those of which one is
    /// chosen.
    static constexpr char kRun[] = "run", kBackend[] = "backend";
    /// And of a bar of many tabs, which have less air beside their titles.
    static constexpr char kPages[] = "pages";

    LookStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                    const QWidget* widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override;
};

} // namespace olab::ui
