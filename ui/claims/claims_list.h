// All claims by source text: what is expected, what was measured, whether these agree. Searched and
// filtered; the keys of a list. GUI thread.
#pragma once

#include "claims/claim_state.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace olab::ui {

class ClaimsList final : public QWidget {
    Q_OBJECT
public:
    explicit ClaimsList(QWidget* parent = nullptr);
    /// What is measured by now; the current claim and the filters stay.
    void setShown(const ClaimsShown& shown);
    /// @returns false: there is none of this id. Filters that hide it are cleared.
    bool choose(std::string_view claim);
    /// Only these, by what stands in the search field then.
    void showOnly(const std::vector<std::string>& claims);
    const claims::ClaimRow* current() const;
    int shownCount() const; ///< claims that the filters let through
    void focusList();
    void focusSearch();

signals:
    void chosen(const olab::claims::ClaimRow& claim);

private:
    QWidget* buildFilters();
    QTreeWidget* buildTree();
    void filter();
    void fitColumns();
    bool letsThrough(const claims::ClaimRow& claim) const;
    static const claims::ClaimRow* rowOf(const QTreeWidgetItem* item);
    QTreeWidgetItem* itemOf(const claims::ClaimRow& claim) const;
    QTreeWidgetItem* firstShown() const;

    QLineEdit* m_search = nullptr;
    QComboBox *m_source = nullptr, *m_outcome = nullptr;
    QCheckBox* m_differing = nullptr;
    QTreeWidget* m_tree = nullptr;
    QLabel* m_count = nullptr;
    ClaimsShown m_shown;
};

} // namespace olab::ui
