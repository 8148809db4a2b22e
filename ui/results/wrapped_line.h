// A sentence or two above the timeline, as high as its lines are at this width, and no higher when the window
// is asked how small it may become.
#pragma once

#include "base/plain_text.h"

namespace olab::ui {

class WrappedLine : public PlainLabel {
    Q_OBJECT
public:
    WrappedLine(const QString& name, const QMargins& padding, QWidget* parent = nullptr);
    /// Not there while it has nothing to say.
    void say(const QString& text);
    /// Not there either while others need the room more.
    void setMakesRoom(bool makesRoom);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    bool m_makesRoom = false;
};

} // namespace olab::ui
