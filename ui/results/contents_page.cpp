#include "results/contents_page.h"

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/page_parts.h"
#include "results/contents_text.h"

#include <olab/ui/format.h>

#include <QStringList>

namespace olab::ui {

namespace {

/// All the lines about where it was made, for who looks for one.
void addNotes(const Trace& trace, QVBoxLayout& column) {
    QStringList lines;
    for (const auto& [key, value] : trace.environment())
        lines << QStringLiteral("%1: %2").arg(fromText(key), fromText(value));
    if (!lines.isEmpty())
        addFolded(column, ContentsPage::tr("Other notes (%1)").arg(lines.size()),
                  wrappingLabel(breakableWords(lines.join(QLatin1Char('\n')))));
}

} // namespace

ContentsPage::ContentsPage(QWidget* parent)
    : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("File details"));
    new LookWatch(*this, [this] { setShown(m_shown); });
}

void ContentsPage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_isOld = true;
    if (isVisible())
        rebuild();
    else
        delete takeWidget(); // it is of another recording
}

void ContentsPage::showEvent(QShowEvent* event) {
    if (m_isOld)
        rebuild();
    QScrollArea::showEvent(event);
}

void ContentsPage::rebuild() {
    m_isOld = false;
    auto* page = new QWidget;
    auto* column = columnIn(page, {12, 8, 12, 8}, 7);
    if (!m_shown)
        column->addWidget(wrappingLabel(tr("Says what was found in a recording and what was not, and what "
                                           "can therefore not be judged. Open one (Ctrl+O), or run one.")));
    else {
        for (const SaidSection& section : whatItSays(*m_shown->recording, *m_shown->report())) {
            column->addWidget(headingLabel(section.title));
            for (const SaidRow& row : section.rows)
                addTextRow(*column, row.name, row.text);
        }
        addNotes(m_shown->trace(), *column);
    }
    column->addStretch(1);
    setWidget(page); // deletes the page before
    keepTabOrderIn(*this);
}

} // namespace olab::ui
