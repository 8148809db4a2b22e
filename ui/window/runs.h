// The runs of this session and which of them is on the screen: the list that shows them, the store that keeps
// them, and what is compared. Everybody who shows a run listens here. GUI thread.
#pragma once

#include <olab/view/view_data.h>

#include <QObject>

namespace olab {

class Messages;
class RunList;
class RunStore;
class Session;
struct WindowOptions;

class Runs final : public QObject {
    Q_OBJECT
public:
    Runs(Session& session, const WindowOptions& options, Messages& messages, QObject& owner);

    const ViewDataPtr& current() const { return m_current; } ///< null: none is shown
    bool isCurrent(const ViewDataPtr& shown) const { return shown && shown == m_current; }
    RunList& list() const { return *m_list; }
    RunStore& store() const { return *m_store; }
    /// The list, with what is said of where its runs are. Made for who shows it.
    QWidget* makeView();
    /// Shows both one above the other.
    void compare(const ViewDataPtr& before, const ViewDataPtr& after) { emit compared(before, after); }

signals:
    void chosen();         ///< by a person, in the list; also the one that is current
    void currentChanged(); ///< to another run, or to none
    /// More is known of a run: `after` stands in for `before`.
    void refined(const olab::ViewDataPtr& before, const olab::ViewDataPtr& after);
    /// After refined(), of the current one.
    void currentRefined(const olab::ViewDataPtr& before);
    /// Where the time of the current one went, and its findings, which follow that.
    void accounted();
    void compared(const olab::ViewDataPtr& before, const olab::ViewDataPtr& after);

private:
    void connectList();
    void setCurrent(const ViewDataPtr& shown);
    void refine(const ViewDataPtr& before, const ViewDataPtr& after);
    ViewDataPtr m_current;
    RunStore* m_store;
    RunList* m_list;
};

} // namespace olab
