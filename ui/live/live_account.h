// The account of the newest pass as one bar: its ideal and what it lost, each as long as what it says. GUI
// thread.
#pragma once

#include "base/ledger_pieces.h"

#include <QWidget>

namespace olab::ui {

class LiveAccount final : public QWidget {
public:
    explicit LiveAccount(QWidget* parent = nullptr);
    /// `longest`: what the whole width stands for, so that bars of two passes compare; 0: this pass.
    void setLedger(const analysis::Ledger* ledger, Ns longest);
    const std::vector<LedgerPiece>& pieces() const { return m_pieces; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<LedgerPiece> m_pieces; ///< those that are drawn
    Ns m_longest = 0;
};

} // namespace olab::ui
