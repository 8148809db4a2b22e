// Under the verdicts: how far to trust a simulated run, in the simulator's own words; what is known of the
// tool effect of a measured one; what is wrong with a recording that is not whole, in the words of
// `olab analyze`. Not there when there is nothing to say.
#pragma once

#include "results/wrapped_line.h"

#include <olab/view/view_data.h>

namespace olab::ui {

class TrustLine final : public WrappedLine {
    Q_OBJECT
public:
    explicit TrustLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// What else is to be said of the run that is shown; empty: nothing.
    void setNote(const QString& note);
    /// Something of the file is lost or could not be used.
    bool saysDamage() const { return !m_damage.isEmpty(); }

signals:
    void changed();

private:
    QString tip() const;
    void sayAll();
    QString m_trust, m_note,
        m_recorded;   ///< the last: what a GPU did with the same settings, in full, for the tip
    QString m_beside; ///< the same in brief, in the line
    QStringList m_damage;
};

} // namespace olab::ui
