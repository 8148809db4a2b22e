// Where the trace was made, what was read of it, how much tracing disturbed it, and whether it is a
// measurement at all.
#pragma once

#include <olab/view/view_data.h>

#include <QWidget>

class QLabel;

namespace olab::ui {

class StatusLine final : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

private:
    QLabel* addLabel(const QString& name, bool givesWay = false);
    void set(QLabel* label, const QString& text, const QString& tip = {});
    view::ViewDataPtr m_shown;
    QLabel *m_device, *m_driver, *m_records, *m_effect;
};

} // namespace olab::ui
