// The Claims Lab in the window: what five texts claim about asynchronous CUDA, what is expected and what
// was measured; and which calls block what. It shows, and tells what a person wants. GUI thread.
#pragma once

#include "claims/claim_state.h"
#include "claims/claim_view.h"
#include "claims/claims_list.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTabWidget;
class QTreeWidget;

namespace olab::ui {

/// Which API calls block the host, other streams or nothing, on this machine or, recorded, on another. GUI
/// thread.
class CallsView final : public QWidget {
    Q_OBJECT
public:
    explicit CallsView(QWidget* parent = nullptr);
    void setShown(const ClaimsShown& shown, bool onGpu, bool busy);
    void focusTable();

signals:
    void measureRequested();
    void saveRequested();

private:
    void fitColumns();
    QTreeWidget* m_table;
    QLabel *m_where, *m_says;
    QPushButton *m_measure, *m_save;
};

/// The table as a file: by its ending CSV, JSON, Markdown or a picture.
/// @throws Error kind Usage for another
QByteArray callsFile(const claims::ClaimsResults& results, const QString& ending, bool dark);

class ClaimsPage final : public QWidget {
    Q_OBJECT
public:
    explicit ClaimsPage(QWidget* parent = nullptr);
    void setShown(const ClaimsShown& shown);
    void setWhere(const ClaimView::Where& where);
    /// Of what runs for this page; `share` below 0: not known. Empty text: nothing runs.
    void setProgress(double share, const QString& text);
    bool choose(std::string_view claim);
    void showOnly(const std::vector<std::string>& claims);
    void showCalls();
    /// The list, or the table of calls.
    void focusFirst();
    ClaimsList& list() { return *m_list; }
    ClaimView& view() { return *m_view; }
    CallsView& calls() { return *m_calls; }

signals:
    void cancelRequested();
    void backRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildFoot();
    void refresh();
    ClaimsShown m_shown;
    ClaimView::Where m_where;
    QTabWidget* m_tabs;
    ClaimsList* m_list;
    ClaimView* m_view;
    CallsView* m_calls;
    QWidget* m_foot = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_doing = nullptr;
};

} // namespace olab::ui
