// Two runs one above the other over the same time scale: what was changed, how long both took, and the
// verdict words of both. Says so when one of them was simulated and the other was not.
#pragma once

#include <olab/view/view_data.h>

#include <QScrollArea>

namespace olab {

class CompareStrips;

class ComparePage final : public QScrollArea {
    Q_OBJECT
public:
    explicit ComparePage(QWidget* parent = nullptr);
    /// Nothing happens when one is null.
    void compare(const ViewDataPtr& before, const ViewDataPtr& after);
    bool empty() const { return !m_before; }
    const ViewDataPtr& before() const { return m_before; }
    const ViewDataPtr& after() const { return m_after; }
    int wantedHeight() const; ///< all of it without scrolling
    QString headline() const; ///< "Run 2 took 120 ms instead of 344 ms: 2.87 times as fast."

private:
    void rebuild();
    QWidget* verdictTable() const;
    ViewDataPtr m_before, m_after;
};

/// "h2d.memory: pageable → pinned", one per option that differs.
QStringList optionDifferences(const Recording& before, const Recording& after);
/// Why their times should not be held against each other; empty when they may.
QString whyNotComparable(const Recording& before, const Recording& after);

} // namespace olab
