// The line above the timeline of a recording that stands in the table: back to the table, and the ones above
// and below it there. GUI thread.
#pragma once

#include <QWidget>

#include <functional>

class QPushButton;

namespace olab::ui {

class ElidedLabel;

class WayBack final : public QWidget {
    Q_OBJECT
public:
    struct Wishes {
        std::function<void()> back, previous, next;
    };
    explicit WayBack(Wishes wishes, QWidget* parent = nullptr);
    void tell(const QString& text, bool hasPrevious, bool hasNext);

private:
    QPushButton *m_previous, *m_next;
    ElidedLabel* m_text;
};

} // namespace olab::ui
