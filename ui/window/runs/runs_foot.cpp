#include "window/runs/runs_foot.h"

#include "base/page_parts.h"
#include "base/plain_text.h"
#include "window/runs/run_store.h"

#include <olab/ui/format.h>

#include <QToolButton>

namespace olab::ui {

namespace {

QString bytesText(std::uint64_t bytes) {
    return sizeText(static_cast<std::int64_t>(bytes));
}

} // namespace

RunsFoot::RunsFoot(RunStore& store, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_text(makeLabel())
    , m_stop(new QToolButton) {
    auto* row = rowIn(this, {10, 2, 6, 4});
    m_text->setWordWrap(true);   // the list is narrow
    m_text->setMinimumWidth(80); // no long name makes the window wider
    row->addWidget(m_text, 1);
    row->addWidget(m_stop);
    m_stop->setText(tr("Stop"));
    m_stop->setAccessibleName(tr("Stop reading the run"));
    setTip(*m_stop, tr("Stop reading the run; what is shown stays (Esc)"));
    connect(m_stop, &QToolButton::clicked, &store, &RunStore::stopFetching);
    connect(&store, &RunStore::changed, this, &RunsFoot::refresh);
    connect(&store, &RunStore::progressed, this, [this](double share, const QString& what) {
        m_progress = share < 0 ? what : QStringLiteral("%1 %2").arg(what, percentLabel(share));
        refresh();
    });
    refresh();
}

QString RunsFoot::text() const {
    return m_text->text();
}

void RunsFoot::refresh() {
    const view::RunPtr reading = m_store.fetching();
    if (!reading)
        m_progress.clear();
    const RunFigures figures = m_store.figures();
    const bool isAllHere = figures.inMemory == figures.runs;
    QString text = isAllHere && m_store.trouble().isEmpty() ? QString() : figuresText();
    if (reading)
        text = m_progress.isEmpty() ? tr("Reading %1 again").arg(titleText(*reading))
                                    : tr("Reading %1 again: %2").arg(titleText(*reading), m_progress);
    m_text->setText(cutText(text, 2 * kLongestLine));
    m_text->setAccessibleName(text);
    QString tip = tr("Recordings that are not shown stay in memory as long as all together take less than "
                     "%1; then those shown longest ago are put on disk, and read again when they are chosen. "
                     "What is not saved is lost when the program ends, wherever it is. OLAB_RUN_MEMORY sets "
                     "another bound, in MiB.")
                      .arg(bytesText(figures.most));
    if (!m_store.trouble().isEmpty())
        tip.prepend(tr("They cannot be put on disk now: %1").arg(m_store.trouble()) + QLatin1Char('\n'));
    setTip(*m_text, tip);
    m_stop->setVisible(reading != nullptr);
    setVisible(!text.isEmpty());
}

QString RunsFoot::figuresText() const {
    const RunFigures figures = m_store.figures();
    const QString memory = bytesText(figures.memory);
    if (!m_store.trouble().isEmpty())
        return tr("%1 of %2 runs stay in memory (%3): no room on disk")
            .arg(figures.inMemory)
            .arg(figures.runs)
            .arg(memory);
    return tr("%1 runs: %2 in memory (%3), the rest on disk (%4)")
        .arg(figures.runs)
        .arg(figures.inMemory)
        .arg(memory, bytesText(figures.disk));
}

} // namespace olab::ui
