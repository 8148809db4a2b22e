// The mark beside an option that is not what it was: a dot, under the pointer an arrow; pressed, it sets the
// option back. Private to the form.
#pragma once

#include <QAbstractButton>

namespace olab::ui {

class ChangeMark final : public QAbstractButton {
public:
    /// By the person; or by the preset, which differs from the default.
    enum class Kind : std::uint8_t { None, ByPreset, ByPerson };
    explicit ChangeMark(QWidget* parent);
    void setKind(Kind kind);
    Kind kind() const { return m_kind; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintArrow(QPainter& painter, const QRectF& room) const;
    Kind m_kind = Kind::None;
};

} // namespace olab::ui
