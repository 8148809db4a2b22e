// What stands below the list of runs. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace olab::ui {

class RunStore;

/// How many there are and where, once not all are in memory; what is being read
/// again, with a button that stops it; why nothing can be put on disk. Not there when there is nothing to
/// say.
class RunsFoot final : public QWidget {
    Q_OBJECT
public:
    explicit RunsFoot(RunStore& store, QWidget* parent = nullptr);
    QString text() const;

private:
    void refresh();
    QString figuresText() const;
    RunStore& m_store;
    QLabel* m_text;
    QToolButton* m_stop;
    QString m_progress;
};

} // namespace olab::ui
