// One line of text that gives way: where there is no room it ends in an ellipsis, and the whole of it is in
// the tooltip, above whatever else the tooltip says.
#pragma once

#include "base/plain_text.h"

namespace olab::ui {

class ElidedLabel final : public PlainLabel {
    Q_OBJECT
public:
    using PlainLabel::PlainLabel;
    bool isElided() const;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace olab::ui
