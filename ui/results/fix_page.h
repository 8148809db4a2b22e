// What "Find the fix" found for the run that is shown: the best pipeline that its options can reach, the
// changes that were measured with their intervals, and those that were only predicted.
#pragma once

#include <olab/comparison/fix.h>
#include <olab/view/view_data_ptr.h>

#include <QScrollArea>

#include <memory>
#include <vector>

namespace olab::ui {

class FixPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit FixPage(QWidget* parent = nullptr);
    /// `of`: the run that it is the fix of; null: of the form, while nothing was shown. Kept with it.
    void add(const std::shared_ptr<const comparison::Fix>& fix, const view::RunPtr& of);
    /// The fix of this one, if one was found.
    void setShown(const view::RunPtr& run);
    bool empty() const { return !m_fix; }
    /// all of it without scrolling
    int wantedHeight(int wide) const { return widget() ? widget()->heightForWidth(wide) + 2 : 0; }

signals:
    /// The experiment with all its options, as JSON.
    void settingsChosen(const std::string& experiment);

private:
    void rebuild();
    QWidget* table() const;
    struct KeptFix {
        bool isOfForm;
        std::weak_ptr<const view::Run> run;
        std::shared_ptr<const comparison::Fix> fix;
        bool isOf(const view::RunPtr& other) const { return other ? run.lock() == other : isOfForm; }
    };
    std::vector<KeptFix> m_kept;
    view::RunPtr m_run;                           ///< that is shown
    std::shared_ptr<const comparison::Fix> m_fix; ///< of it
};

} // namespace olab::ui
