// One thing within the timeline that a screen reader can stand on: a row, the selected operation or gap, the
// measured range. Knows what it stands for by number and looks it up each time, so that it is never out of
// date; what is gone says so. Made and owned by AccessibleTimeline (accessible_timeline.cpp).
#pragma once

#include "timeline/rows/row_layout.h"

#include <olab/view/gaps.h>

#include <QAccessible>
#include <QPointer>

#include <optional>
#include <tuple>

namespace olab::ui {

class TimelineCanvas;

struct NodeKey {
    enum class Kind : std::uint8_t { Group, Ribbon, Lane, Activity, Gap, Range } kind{};
    std::int64_t number = 0; ///< lane, activity or begin of the gap
    QString group{};
    friend bool operator==(const NodeKey&, const NodeKey&) = default;
    friend bool operator<(const NodeKey& a, const NodeKey& b) {
        return std::tie(a.kind, a.number, a.group) < std::tie(b.kind, b.number, b.group);
    }
    static NodeKey of(const Row& row);
    bool isRow() const { return kind <= Kind::Lane; }
};

class AccessibleNode final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    AccessibleNode(TimelineCanvas& canvas, NodeKey key);

    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QWindow* window() const override;
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    int childCount() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override;
    QAccessible::Role role() const override;
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;

    QStringList actionNames() const override;
    void doAction(const QString& name) override;
    QStringList keyBindingsForAction(const QString& name) const override;

    const NodeKey& key() const { return m_key; }

private:
    const Row* row() const; ///< the row it is or stands in; null when there is none
    QString name() const;
    QString description() const;
    QString value() const;
    QRect area() const;
    QPointer<TimelineCanvas> m_canvas;
    NodeKey m_key;
};

/// What keys work on: the selected operation or gap or the measured range, else the row; none: the canvas.
std::optional<NodeKey> currentNode(const TimelineCanvas& canvas);
/// The row that the selected operation or gap stands in; null: it is in none that is shown.
const Row* rowOfPicked(const TimelineCanvas& canvas);

} // namespace olab::ui
