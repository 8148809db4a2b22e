// The page "File details": what was found in a recording and what was not, what can therefore not be
// judged, and what of it could not be used. Made when somebody looks at it.
#pragma once

#include <olab/view/view_data.h>

#include <QScrollArea>

namespace olab::ui {

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
