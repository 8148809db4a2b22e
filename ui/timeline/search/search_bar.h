// The line below the lanes that one types a search into: count, next and previous; what is found is selected
// and brought into view.
#pragma once

#include "timeline/search/search.h"

#include <olab/ui/timeline_canvas.h>

#include <QTimer>
#include <QWidget>

#include <memory>
#include <span>

class QLabel;
class QLineEdit;

namespace olab::ui {

class SearchBar final : public QWidget {
    Q_OBJECT
public:
    SearchBar(TimelineCanvas& canvas, QWidget* parent);
    void open();
    void openWith(const QString& words);
    void close();
    /// The next (+1) or previous (-1) match after the selected activity; round and round.
    void step(int direction);
    /// Begins again, with another recording.
    void restart();
    std::span<const ActivityIndex> matches() const; ///< so far, sorted; only longer while round() is the same
    int round() const { return m_round; }

signals:
    void matchesChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void goOn();
    void showCount();
    void showSaid();
    void select(std::size_t match);
    /// What was seen and selected before the search chose something.
    struct Origin {
        std::optional<ActivityIndex> selected;
        Interval seen;
        int scroll = 0;
    };
    Origin here() const;
    void goBack();
    std::size_t positionOf(ActivityIndex index) const;
    TimelineCanvas& m_canvas;
    QLineEdit* m_edit;
    QLabel *m_says, *m_count;
    QTimer m_slices;
    view::ViewDataPtr m_shown; ///< what is searched
    std::unique_ptr<Search> m_search;
    ActivityIndex m_from = 0;
    int m_round = 0;
    Origin m_origin;
    std::optional<ActivityIndex> m_chosen; ///< selected by the search, since m_origin
    bool m_found = false;                  ///< the first match from m_from on is selected
};

} // namespace olab::ui
