// What is selected: an op with all its fields and why it started then, a gap, or the range that is measured.
#pragma once

#include "base/plain_text.h"

#include <olab/view/gaps.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <QTextBrowser>

#include <optional>
#include <variant>

namespace olab::ui {

class Inspector final : public QTextBrowser {
    Q_OBJECT
public:
    explicit Inspector(QWidget* parent = nullptr);
    void showActivity(const view::ViewDataPtr& shown, std::optional<ActivityIndex> index);
    void showGap(const view::ViewDataPtr& shown, const view::Gap& gap);
    /// The numbers of a range, live while it is dragged.
    void showRange(const view::ViewDataPtr& shown, Interval range);

signals:
    void
    activityChosen(quint32 index); ///< what held up the one that is shown, what issued it, a range around it

private:
    void follow(const QUrl& link);
    void refresh();
    RichText summary() const;
    RichText activity(ActivityIndex index) const;
    RichText code(ActivityIndex index) const; ///< from the device to the code, and back
    RichText gap(const view::Gap& gap) const;
    RichText range(Interval range) const;
    void copy(bool table) const;
    view::ViewDataPtr m_shown;
    std::variant<std::monostate, ActivityIndex, view::Gap, Interval> m_subject;
};

} // namespace olab::ui
