#include "compare/fate_legend.h"

#include "base/flow_layout.h"
#include "base/plain_text.h"
#include "compare/compared_runs.h"

#include <olab/ui/bar_colours.h>
#include <olab/ui/theme.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace olab::ui {

namespace {

using comparison::OperationFate;

class Swatch final : public QWidget {
public:
    explicit Swatch(OperationFate fate)
        : m_fate(fate) {
        setFixedSize(14, 10);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(palette());
        QPainter(this).fillRect(rect(), colourOf(colourOfFate(m_fate), theme));
    }

private:
    OperationFate m_fate;
};

} // namespace

FateLegend::FateLegend(QWidget* parent)
    : QWidget(parent) {
    auto* flow = new FlowLayout(this);
    flow->setContentsMargins(10, 3, 10, 3);
    flow->setSpacing(12);
    const auto add = [&](OperationFate fate, const QString& text, const QString& tip) {
        auto* entry = new QWidget;
        auto* row = new QHBoxLayout(entry);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(5);
        row->addWidget(new Swatch(fate));
        row->addWidget(makeSmallLabel(text));
        setTip(*entry, tip);
        flow->addWidget(entry);
    };
    add(OperationFate::Longer, tr("longer"), tr("Takes at least 5 % more time than in the first run"));
    add(OperationFate::Shorter, tr("shorter"), tr("Takes at least 5 % less time than in the first run"));
    add(OperationFate::Moved, tr("moved"),
        tr("Takes as long, but begins at another time of the common axis, or in another stream"));
    add(OperationFate::New, tr("in one run only"), tr("New below, or gone from above"));
    add(OperationFate::Same, tr("the same, or not compared"),
        tr("Calls of the host, and what lies outside of what is aligned, are not compared"));
}

} // namespace olab::ui
