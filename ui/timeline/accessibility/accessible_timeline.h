// The timeline as a screen reader finds it: a list of its rows, each with its numbers as its name; in the row
// of the selected operation or gap, that one as a child; after the rows the measured range. There is no child
// for each activity, of which there may be millions: a row says how many there are, and "next" and
// "previous" are actions. Every move of the keys is told as a change of focus. GUI thread.
#pragma once

#include "timeline/accessibility/accessible_node.h"
#include "timeline/rows/row_layout.h"

#include <olab/view/gaps.h>

#include <QAccessibleWidget>
#include <QString>

#include <map>

namespace olab::ui {

// What the timeline shows, in words for somebody who hears it: numbers without thin spaces, the most telling
// word first. Pure functions.

/// "copy H2D, GPU 0, 1204 operations, busy 96 %": of the whole run.
QString spokenRow(const view::ViewData& shown, const Row& row);
/// The same of what is seen: "in view 300 operations, busy 94 %".
QString spokenView(std::span<const view::Strip> strips, const Row& row, Interval seen);
/// "kernel spin #17, 412 µs, stream 14, starts at 1.20 ms, waited 80 µs".
QString spokenActivity(const view::ViewData& shown, ActivityIndex index);
/// "operation 3 of 200 in copy H2D"; empty when it is in another lane.
QString spokenPlace(const Lane& lane, ActivityIndex index);
QString spokenGap(const view::ViewData& shown, const view::Gap& gap);
QString spokenRange(const view::ViewData& shown, Interval range);
/// Which recording, what it is worth, and what came out: sentences.
QString spokenRecording(const view::ViewData& shown);

class AccessibleTimeline final : public QAccessibleWidget {
public:
    explicit AccessibleTimeline(TimelineCanvas& canvas);
    ~AccessibleTimeline() override;

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QString text(QAccessible::Text kind) const override;
    QAccessible::State state() const override;
    QStringList actionNames() const override;
    void doAction(const QString& name) override;
    QStringList keyBindingsForAction(const QString& name) const override;

    /// The same interface each time, until forget().
    QAccessibleInterface* node(const NodeKey& key) const;
    /// Of what is there no more.
    void forget();

private:
    TimelineCanvas& m_canvas;
    mutable std::map<NodeKey, QAccessible::Id> m_nodes;
};

/// Who hears of changes: Qt, which drops them while nobody listens; tests listen themselves. @returns who did
using AccessibleTeller = void (*)(QAccessibleEvent*);
AccessibleTeller tellAccessibleBy(AccessibleTeller teller);

/// To be called once for each canvas, by itself.
void makeAccessible(TimelineCanvas& canvas);

} // namespace olab::ui
