// The pairs at a glance: one chip per pair of classes on which 1 % of the run or more hangs, one for the
// rest. Each chip has a word, a number, a shape and a colour: none of them is needed to read the
// others.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/view/place.h>
#include <olab/view/view_data.h>

#include <QWidget>

namespace olab::ui {

class Chip;

class VerdictStrip final : public QWidget {
    Q_OBJECT
public:
    explicit VerdictStrip(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    QSize sizeHint() const override; ///< of one row; heightForWidth() knows how many there are
    QSize minimumSizeHint() const override { return sizeHint(); }
    int heightForWidth(int wide) const override { return placesIn(wide).height; }

signals:
    /// A pair was pressed that could overlap better.
    void placeChosen(const view::Place& worst);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Places {
        bool compact;
        std::vector<QRect> chips;
        int height;
    };
    Places placesIn(int wide) const;
    void place();
    void arrange();
    void add(Chip* chip);
    void tell(const std::string& badge);
    void showWorst(const analysis::Verdict& verdict);
    void addVerdict(const analysis::Report& report, const analysis::Verdict& verdict);
    void addMinor(const analysis::Report& report, const std::vector<const analysis::Verdict*>& minor);
    void addNothing(const view::ViewData& shown);
    view::ViewDataPtr m_shown;
    std::vector<Chip*> m_chips; ///< owned by their parent
};

/// "H2D | kernel"; with several devices "GPU 1: H2D | kernel".
QString pairName(const analysis::Report& report, const analysis::Verdict& verdict);

/// "overlapped 98 %", "stretched by 51 %", "SERIALIZED blocked 4.47 ms", "inconclusive".
QString verdictOutcome(const analysis::Verdict& verdict);
/// What is left to say of a pair on which little of the run hangs: "apart 0 %: the pair takes 0.36 % of the
/// run".
QString minorText(const analysis::Verdict& verdict);

} // namespace olab::ui
