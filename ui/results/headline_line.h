// One sentence over everything: how far from the best possible a run is, and what costs most. Cut where it
// would take many lines from the lanes. Not there while there is nothing to say.
#pragma once

#include <olab/view/view_data.h>

#include <QWidget>

class QToolButton;

namespace olab {

class WrappedLine;

class HeadlineLine final : public QWidget {
    Q_OBJECT
public:
    explicit HeadlineLine(QWidget* parent = nullptr);
    void setShown(const ViewDataPtr& shown);
    QString text() const;

signals:
    void moreRequested(); ///< where the time went, in full

private:
    void restyle();
    WrappedLine* m_text;
    QToolButton* m_more;
};

} // namespace olab
