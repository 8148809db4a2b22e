// The small field over the lanes that a bookmark's note is typed into. Enter keeps it, Shift+Enter begins a
// new line, Esc leaves everything as it was; going elsewhere keeps it too: nothing typed is lost.
#pragma once

#include <QPlainTextEdit>
#include <QPointer>

namespace olab::ui {

class NoteEditor final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit NoteEditor(QWidget* parent);
    /// With its upper left corner at `at` of the parent, or as near as it fits. What had the focus gets it
    /// back.
    void open(const QString& note, QPoint at);
    bool isOpen() const { return m_open; }
    /// As Enter does.
    void keep();

signals:
    void kept(const QString& note);
    void cancelled();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool shut();
    bool m_open = false;
    QPointer<QWidget> m_before;
};

} // namespace olab::ui
