#include "compare/compared_side.h"

#include "base/elided_label.h"
#include "base/plain_text.h"
#include "timeline/accessibility/accessible_timeline.h"
#include "timeline/input/canvas_input.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/ui/format.h>
#include <olab/ui/verdict_text.h>
#include <olab/view/view_data.h>

#include <QGridLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>

namespace olab::ui {

namespace {

QLabel* lineOfWords(const char* name) {
    QLabel* label = makeLabel();
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setContentsMargins(10, 0, 10, 2);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

} // namespace

ComparedSide::ComparedSide(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel)
    , m_changes(lineOfWords("comparedChanges"))
    , m_warning(lineOfWords("comparedWarning"))
    , m_canvas(new TimelineCanvas(this))
    , m_bar(new QScrollBar(Qt::Vertical, this)) {
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setContentsMargins(10, 3, 10, 1);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_warning->setFont(bold);
    QSizePolicy kept = m_bar->sizePolicy(); // all canvases are as wide
    kept.setRetainSizeWhenHidden(true);
    m_bar->setSizePolicy(kept);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_warning, 0, 0, 1, 2);
    grid->addWidget(m_title, 1, 0, 1, 2);
    grid->addWidget(m_changes, 2, 0, 1, 2);
    grid->addWidget(m_canvas, 3, 0);
    grid->addWidget(m_bar, 3, 1);
    grid->setRowStretch(3, 1);
    new CanvasInput(*m_canvas); // owned by the canvas
    makeAccessible(*m_canvas);
    connect(m_bar, &QScrollBar::valueChanged, &m_canvas->rows(), &TimelineRows::setScroll);
    connect(m_canvas, &TimelineCanvas::scrollRangeChanged, this, &ComparedSide::syncScrollBar);
}

void ComparedSide::setShown(const view::ViewDataPtr& shown, const QString& role) {
    m_canvas->setShown(shown);
    m_title->setText(tr("%1: %2 (%3), %4")
                         .arg(role, titleText(*shown), sourceText(shown->trace().provenance().source),
                              durationText(shown->recording->report.bounds.measured)));
    m_canvas->setAccessibleName(tr("Timeline of %1: %2").arg(role, titleText(*shown)));
}

void ComparedSide::tell(const QString& changes, const QString& warning) {
    m_changes->setText(changes);
    m_changes->setVisible(!changes.isEmpty());
    m_warning->setText(warning);
    m_warning->setVisible(!warning.isEmpty());
}

QString ComparedSide::words() const {
    QStringList words;
    for (const QString& text : {m_warning->text(), m_title->text(), m_changes->text()})
        if (!text.isEmpty())
            words << text;
    return words.join(QLatin1Char('\n'));
}

void ComparedSide::syncScrollBar() {
    const QSignalBlocker quiet(m_bar);
    const int hidden = std::max(m_canvas->rows().layout().height - m_canvas->height(), 0);
    m_bar->setRange(0, hidden);
    m_bar->setPageStep(m_canvas->height());
    m_bar->setSingleStep(20);
    m_bar->setValue(m_canvas->rows().scroll());
    m_bar->setVisible(hidden > 0);
}

} // namespace olab::ui
