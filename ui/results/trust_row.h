// The trust line and, beside what it says of a file that is not whole, the way to all that the file says.
#pragma once

#include <QWidget>

class QPushButton;

namespace olab::ui {

class TrustLine;

class TrustRow final : public QWidget {
    Q_OBJECT
public:
    /// Takes the line.
    explicit TrustRow(TrustLine& line, QWidget* parent = nullptr);

signals:
    void contentsRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void offer();
    TrustLine& m_line;
    QPushButton* m_button;
};

} // namespace olab::ui
