#include "compare/compared_side.h"

#include "base/page_parts.h"
#include "timeline/accessibility/accessible_timeline.h"
#include "timeline/canvas/minimap.h"
#include "timeline/input/canvas_input.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <QGridLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QScrollBar>

namespace olab::ui {

void LockedViews::lock(std::vector<TimelineCanvas*> canvases, PartnerOf partnerOf) {
    for (TimelineCanvas* canvas : m_canvases)
        disconnect(canvas, nullptr, this, nullptr);
    m_canvases = std::move(canvases);
    m_partnerOf = std::move(partnerOf);
    for (std::size_t i = 0; i < m_canvases.size(); ++i) {
        connect(m_canvases[i], &TimelineCanvas::viewportChanged, this, [this, i] { follow(i); });
        connect(m_canvases[i], &TimelineCanvas::selectionChanged, this, [this, i] { select(i); });
    }
}

void LockedViews::setAxis(Interval limits, Interval shown, const std::vector<Ns>& zeros) {
    {
        const QScopedValueRollback guard(m_following, true);
        for (std::size_t i = 0; i < m_canvases.size(); ++i)
            m_canvases[i]->setAxis({limits.begin + zeros[i], limits.end + zeros[i]}, zeros[i]);
    }
    show(shown);
}

Interval LockedViews::visible() const {
    if (m_canvases.empty())
        return {};
    const Interval seen = m_canvases.front()->viewport().visible();
    const Ns zero = m_canvases.front()->zero();
    return {seen.begin - zero, seen.end - zero};
}

void LockedViews::show(Interval range) {
    if (m_canvases.empty())
        return;
    const Ns zero = m_canvases.front()->zero();
    m_canvases.front()->showRange({range.begin + zero, range.end + zero}); // the others follow
}

void LockedViews::follow(std::size_t canvas) {
    if (m_following)
        return;
    const QScopedValueRollback guard(m_following, true);
    const Interval seen = m_canvases[canvas]->viewport().visible();
    const Ns zero = m_canvases[canvas]->zero();
    for (TimelineCanvas* other : m_canvases) {
        const Interval there{seen.begin - zero + other->zero(), seen.end - zero + other->zero()};
        if (other != m_canvases[canvas] && other->viewport().visible() != there)
            other->showRange(there);
    }
}

void LockedViews::select(std::size_t canvas) {
    if (m_following)
        return;
    const QScopedValueRollback guard(m_following, true);
    const auto activity = m_canvases[canvas]->selection().activity();
    for (std::size_t i = 0; i < m_canvases.size(); ++i)
        if (i != canvas)
            m_canvases[i]->select(activity ? m_partnerOf(canvas, *activity, i) : std::nullopt);
    emit selected(canvas);
}

namespace {

QLabel* lineOfWords(const char* name) {
    QLabel* label = wordsLabel(QString());
    label->setObjectName(QLatin1String(name));
    label->setContentsMargins(10, 0, 10, 2);
    label->hide();
    return label;
}

} // namespace

ComparedSide::ComparedSide(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel)
    , m_changes(lineOfWords("comparedChanges"))
    , m_warning(lineOfWords("comparedWarning"))
    , m_canvas(new TimelineCanvas(this)) {
    m_title->setFont(boldOf(m_title->font()));
    m_title->setContentsMargins(10, 3, 10, 1);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_warning->setFont(m_title->font());
    QScrollBar* bar = makeScrollBar(*m_canvas, this);
    QSizePolicy kept = bar->sizePolicy(); // all canvases are as wide
    kept.setRetainSizeWhenHidden(true);
    bar->setSizePolicy(kept);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_warning, 0, 0, 1, 2);
    grid->addWidget(m_title, 1, 0, 1, 2);
    grid->addWidget(m_changes, 2, 0, 1, 2);
    grid->addWidget(m_canvas, 3, 0);
    grid->addWidget(bar, 3, 1);
    grid->setRowStretch(3, 1);
    new CanvasInput(*m_canvas); // owned by the canvas
    makeAccessible(*m_canvas);
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

} // namespace olab::ui
