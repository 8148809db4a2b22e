// Says which preset the form is, as far as there is room, and opens the chooser.
#pragma once

#include <QPushButton>

namespace olab::ui {

class PresetButton final : public QPushButton {
    Q_OBJECT
public:
    explicit PresetButton(QWidget* parent = nullptr);
    void setTitle(const QString& title);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_title;
};

} // namespace olab::ui
