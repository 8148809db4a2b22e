// Two runs one above the other over the same time scale: what was changed, how long both took, and the
// verdict words of both. Says so when one of them was simulated and the other was not.
#pragma once

#include <olab/analysis/comparison.h>
#include <olab/ui/shown.h>

#include <QScrollArea>

namespace olab {

class CompareStrips;

class ComparePage final : public QScrollArea {
    Q_OBJECT
public:
    explicit ComparePage(QWidget* parent = nullptr);
    /// Nothing happens when one is null.
    void compare(const ShownPtr& before, const ShownPtr& after);
    bool empty() const { return !m_before; }
    const ShownPtr& before() const { return m_before; }
    const ShownPtr& after() const { return m_after; }
    int wantedHeight() const;      ///< all of it without scrolling
    Comparison comparison() const; ///< of nothing while it is empty
    QString headline() const;      ///< Comparison::headline

private:
    void rebuild();
    QString optionsText(const Comparison& comparison) const;
    QWidget* verdictTable(const Comparison& comparison) const;
    ShownPtr m_before, m_after;
};

/// Both under the names their runs have in the window.
Comparison compareShown(const Shown& before, const Shown& after);

} // namespace olab
