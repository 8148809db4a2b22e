// The runs of this session and which of them is on the screen: the list that shows them, the store that keeps
// them, and what is compared. Everybody who shows a run listens here. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QStyledItemDelegate>
#include <QWidget>

class QLabel;
class QToolButton;

namespace olab::ui {

class RunList;
class RunStore;
class Messages;
class Session;
struct WindowOptions;

/// The editor of a run's name in its row: of the name alone, since a row says more than that.
class RunNameDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit RunNameDelegate(RunList* runs);
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

signals:
    void named(int row, const QString& title) const;

private:
    RunList* m_runs;
};

/// Below the list of runs: how many there are and where, once not all are in memory; what is being read
/// again, with a button that stops it; why nothing can be put on disk. Not there when there is nothing to
/// say.
class RunsFoot final : public QWidget {
    Q_OBJECT
public:
    explicit RunsFoot(RunStore& store, QWidget* parent = nullptr);
    QString text() const;

private:
    void refresh();
    QString figuresText() const;
    RunStore& m_store;
    QLabel* m_text;
    QToolButton* m_stop;
    QString m_progress;
};

class Runs final : public QObject {
    Q_OBJECT
public:
    Runs(Session& session, const WindowOptions& options, Messages& messages, QObject& owner);

    const view::ViewDataPtr& current() const { return m_current; } ///< null: none is shown
    bool isCurrent(const view::ViewDataPtr& shown) const { return shown && shown == m_current; }
    RunList& list() const { return *m_list; }
    RunStore& store() const { return *m_store; }
    /// The list, with what is said of where its runs are. Made for who shows it.
    QWidget* makeView();
    /// Shows both one above the other.
    void compare(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
        emit compared(before, after);
    }
    /// Where the time of the current one went, which says nothing of it yet: accounted() follows.
    /// @returns false: something else runs
    bool account();
    /// The same of its repeating iteration: steadyStateFound() follows.
    bool findSteadyState();

signals:
    void chosen();         ///< by a person, in the list; also the one that is current
    void currentChanged(); ///< to another run, or to none
    /// More is known of a run: `after` stands in for `before`.
    void refined(const olab::view::ViewDataPtr& before, const olab::view::ViewDataPtr& after);
    /// After refined(), of the current one.
    void currentRefined(const olab::view::ViewDataPtr& before);
    /// Where the time of the current one went, and its findings, which follow that.
    void accounted();
    void steadyStateFound(); ///< of the current one
    void compared(const olab::view::ViewDataPtr& before, const olab::view::ViewDataPtr& after);

private:
    void connectList();
    void setCurrent(const view::ViewDataPtr& shown);
    void refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after);
    Session& m_session;
    view::ViewDataPtr m_current;
    RunStore* m_store;
    RunList* m_list;
};

} // namespace olab::ui
