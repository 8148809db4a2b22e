// What a person types to find activities: "kernel > 1ms", "h2d stream 14", "spin", "#17". All words must
// hold. The timeline's search and the table's filter are one language.
#pragma once

#include <olab/view/finder.h>

#include <QString>
#include <QStringList>

namespace olab::ui {

struct SearchQuery : view::SearchCriteria {
    QStringList names; ///< parts of its name, in any case
    QStringList said; ///< what was understood, part by part: "kernels", "longer than 1.00 ms", "in stream 14"
    QString error;    ///< why it cannot be searched for

    /// Words: a class (those of its row, and "copy"), stream N, thread N, #N, >D >=D <D <=D =D with a unit,
    /// engine E (compute, h2d, ...), because C (a part of what it waited for: null, engine, grid, ...);
    /// everything else, or in quotes, is part of a name.
    static SearchQuery parse(const QString& text);
    static QString help(); ///< the same for a person
};

} // namespace olab::ui
