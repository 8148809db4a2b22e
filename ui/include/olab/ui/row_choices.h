// What a person chose to see of the rows of the timeline. Rows and groups go by names (row_names.h) that mean
// the same in every recording of the same shape, so a choice outlives the recording and the program. Names
// that a recording lacks are kept for those that have them. A plain value.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>
#include <set>

namespace olab::ui {

struct RowChoices {
    static constexpr int kLowest = 30, kTallest = 800; ///< per cent

    std::set<QString> folded;   ///< groups
    std::set<QString> unfolded; ///< groups that are folded until somebody opens them
    std::set<QString> hidden, pinned;
    std::set<QString> opened;             ///< engines, by channel
    std::map<QString, int> heights;       ///< of rows: per cent of what they have by default; 0: a thin line
    std::map<QString, QStringList> order; ///< of the rows of a group; under no name, of the groups

    /// `natural` with those that were once arranged in the places that they took; the others stay where they
    /// are.
    QStringList arranged(const QString& group, const QStringList& natural) const;
    /// Puts `name` right before or after `beside`, both of which are in `natural`.
    void move(const QString& group, const QStringList& natural, const QString& name, const QString& beside,
              bool after);
    void setHeight(const QString& row, int percent); ///< 100: as by default
    /// `startsFolded`: what the group is by default.
    bool isFolded(const QString& group, bool startsFolded) const {
        return startsFolded ? !unfolded.contains(group) : folded.contains(group);
    }
    void setFolded(const QString& group, bool startsFolded, bool on);

    /// For settings. What cannot be read is left out.
    QByteArray toJson() const;
    static RowChoices fromJson(const QByteArray& json);
    friend bool operator==(const RowChoices&, const RowChoices&) = default;
};

} // namespace olab::ui
