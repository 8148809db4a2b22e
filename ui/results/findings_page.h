// Why it did not overlap: one card per finding with a number and a button, then what the verdicts say, then
// what is wrong with the data.
#pragma once

#include <olab/experiment/option_changes.h>
#include <olab/view/view_data.h>

#include <QScrollArea>

#include <string_view>

class QPushButton;
class QVBoxLayout;

namespace olab::ui {

class FindingsPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit FindingsPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// More is known of what is shown, or it looks otherwise: the card that is read stays in sight.
    void refine(const view::ViewDataPtr& shown);
    /// Whether a run would be simulated; the buttons say so where the shown one was not.
    void setSimulates(bool simulates);
    /// Where a run would be simulated: whether a recording of these changes of the run comes with the
    /// program, which is then shown instead.
    using HasRecording = std::function<bool(const view::ViewData&, const experiment::OptionChanges&)>;
    void setHasRecording(HasRecording has) { m_hasRecording = std::move(has); }
    /// Scrolls to the card of this finding, by its id, if there is one. It stays in sight until somebody
    /// scrolls or another run is shown.
    void bringIntoView(std::string_view finding);

signals:
    void tryRequested(const olab::experiment::OptionChanges& changes);
    void activityChosen(quint32 index);
    /// Claims that this finding decides, by their ids.
    void claimsRequested(const QStringList& ids);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build(const view::ViewDataPtr& shown);
    QString topCard() const;
    void scrollToKept();
    QPushButton* tryButton(const analysis::Finding& finding, const view::ViewData& shown);
    QWidget* findingCard(const analysis::Finding& finding, const view::ViewData& shown);
    QPushButton* claimsButton(const analysis::Finding& finding);
    void addVerdicts(const analysis::Report& report, QVBoxLayout* column);
    /// Folded: for who looks for it.
    void addOftenBlamed(const analysis::Report& report, QVBoxLayout& column);
    void addDataQuality(const analysis::Report& report, QVBoxLayout* column);
    view::ViewDataPtr m_shown;
    QString m_kept; ///< the id of the finding whose card stays in sight; may be empty
    bool m_simulates = false;
    HasRecording m_hasRecording;
};

} // namespace olab::ui
