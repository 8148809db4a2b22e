// Parts of the form: groups that fold, and the mark of an option that was changed. GUI thread.
#pragma once

#include <QAbstractButton>
#include <QToolButton>
#include <QWidget>

class QVBoxLayout;

namespace olab::ui {

/// A group of controls under a heading that folds it away. Private to the panel.
class Fold final : public QWidget {
public:
    Fold(const QString& title, bool open, QWidget* parent);
    QWidget* body() const { return m_body; } ///< without a layout at first
    void setOpen(bool open);
    bool isOpen() const { return m_heading->isChecked(); }
    /// How many of its options are not at their default: told beside the title, so that a folded group hides
    /// no change.
    void setChanged(int count);

private:
    QString m_title;
    QToolButton* m_heading;
    QWidget* m_body;
};

/// The mark beside an option that is not what it was: a dot, under the pointer an arrow; pressed, it sets the
/// option back. Private to the form.
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
