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
        QPainter painter(this);
        painter.setPen(QPen(colourOf(colourOfFate(m_fate), theme), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
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
    add(OperationFate::Longer, tr("longer"),
        tr("Takes at least 5 % and a thousandth of the run more time than in the first run"));
    add(OperationFate::Shorter, tr("shorter"),
        tr("Takes at least 5 % and a thousandth of the run less time than in the first run"));
    add(OperationFate::New, tr("in one run only"), tr("New below, or gone from above"));
}

} // namespace olab::ui
