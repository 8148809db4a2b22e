// How the proof of a change goes, and what came of it: both runs made alternately, what changed with its
// interval of 95 %, beside what was predicted.
#pragma once

#include <olab/comparison/proof.h>

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace olab::ui {

class ProofPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProofPanel(QWidget* parent = nullptr);
    /// `pairs`: how many there will be; `stopped`: why it ended before, empty: it did not.
    void setProof(const comparison::Proof& proof, int pairs, bool done, const QString& stopped);

signals:
    void stopRequested();

private:
    void fillTable(const comparison::Proof& proof);
    QLabel* m_head;
    QLabel* m_text;
    QPushButton* m_stop;
    QWidget* m_table;
    QGridLayout* m_grid;
};

} // namespace olab::ui
