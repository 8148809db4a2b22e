// One line of text that gives way: where there is no room it ends in an ellipsis, and the whole of it is in
// the tooltip, above whatever else the tooltip says.
#pragma once

#include <QLabel>

namespace olab {

class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    bool isElided() const;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace olab
