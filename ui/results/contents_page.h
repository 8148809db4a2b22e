// The page "File details": what was found in a recording and what was not, what can therefore not be
// judged, and what of it could not be used. Made when somebody looks at it.
#pragma once

#include <olab/view/contents.h>
#include <olab/view/view_data.h>

#include <QScrollArea>
#include <QString>

#include <vector>

namespace olab::ui {

/// What a file says, in words: what was found in it, what was not, what can therefore not be judged, and what
/// of it could not be used. Everything is the trace's and the report's. Pure function; any thread.
struct SaidRow {
    QString name, text;
};

struct SaidSection {
    QString title;
    std::vector<SaidRow> rows;
};

/// Sections without a row are left out.
std::vector<SaidSection> whatItSays(const recording::Recording& recording, const analysis::Report& report);

class ContentsPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit ContentsPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    view::ViewDataPtr m_shown;
    bool m_isOld = true;
};

} // namespace olab::ui
