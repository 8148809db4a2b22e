// Errors as they happen, one row each, above what they concern: message, what to do next, dismiss. Never
// modal.
#pragma once

#include <olab/run/runner.h>

#include <QFrame>

class QVBoxLayout;

namespace olab::ui {

class ErrorBar final : public QFrame {
    Q_OBJECT
public:
    explicit ErrorBar(QWidget* parent = nullptr);
    void add(const run::RunnerError& error, bool offerRunAgain);
    void clear();
    /// Something else went well since: what asks for nothing leaves. A run that can be made again stays.
    void settle();
    int count() const { return m_count; }
    QString lastText() const { return m_lastText; }

signals:
    void runAgainRequested();
    void countChanged();

private:
    void paintRow(QWidget& row);
    void remove(QWidget* row);
    QVBoxLayout* m_column;
    QList<QWidget*> m_rows;
    int m_count = 0;
    QString m_lastText;
};

} // namespace olab::ui
