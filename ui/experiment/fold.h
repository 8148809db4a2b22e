// A group of controls under a heading that folds it away. Private to the panel.
#pragma once

#include <QToolButton>
#include <QWidget>

class QVBoxLayout;

namespace olab::ui {

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

} // namespace olab::ui
