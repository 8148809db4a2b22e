// Runs held against the first of them at full size: their lanes on one locked axis, each bar in the colour of
// what became of it, and beside them what the difference is made of. GUI thread.
#pragma once

#include "base/newest_job.h"
#include "compare/compared_runs.h"

#include <olab/ui/picture.h>

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QSplitter;

namespace olab::ui {

class ComparedSide;
class DifferencePanel;
class ElidedLabel;
class LockedViews;

class FullComparison final : public QWidget {
    Q_OBJECT
public:
    /// `bookmarks`: as the person has them now.
    explicit FullComparison(BookmarksOf bookmarks, QWidget* parent = nullptr);
    ~FullComparison() override;
    /// Two or more; the first is the one that the others are held against.
    void compare(std::vector<view::ViewDataPtr> runs);
    const std::vector<view::ViewDataPtr>& runs() const { return m_runs; }
    /// More is known of one of them: it is compared anew, what is shown stays.
    void replace(const view::ViewDataPtr& before, const view::ViewDataPtr& after);
    QStringList alignments() const;
    void alignBy(int number); ///< in the order of alignments()
    ComparedSide& side(std::size_t number) { return *m_sides[number]; }
    const DifferencePanel& panel() const { return *m_panel; }
    LockedViews& views() { return *m_views; }
    const ComparedRunsPtr& found() const { return m_found; } ///< null: the operations are still being matched
    QString pairText() const; ///< what is said of the operation that is selected

    /// The first and the one that is held against it, as they are seen.
    ComparedPicture picture(PicturePart part) const;

    void stepDifference(int direction);

signals:
    void backRequested();
    void settled(); ///< all of it is on the screen

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHead();
    void makeSides();
    void tellRuns();
    void match();
    void take(const ComparedRunsPtr& found);
    void use(std::size_t side);
    void showPair(std::size_t side);
    void offerSelected(std::size_t side);
    QString warningOf(std::size_t side) const;
    BookmarksOf m_bookmarks;
    std::vector<view::ViewDataPtr> m_runs;
    std::vector<Alignment> m_ways; ///< at what is selected is the last, where it is in all runs
    bool m_hasSelected = false;    ///< there is such a one
    ComparedRunsPtr m_found;
    LockedViews* m_views;
    QLabel *m_headline, *m_details;
    ElidedLabel* m_pair;
    QComboBox* m_alignment;
    QWidget* m_ruler = nullptr;
    QSplitter *m_middle, *m_stack;
    DifferencePanel* m_panel;
    std::vector<ComparedSide*> m_sides;
    bool m_isMoved = false;             ///< the border of lanes and panel, by hand
    std::optional<std::size_t> m_at;    ///< the difference that N led to, by size
    std::size_t m_inUse = 1;            ///< the side that is held against the first
    NewestJob<ComparedRuns> m_matching; ///< the last member: its threads call this
};

} // namespace olab::ui
