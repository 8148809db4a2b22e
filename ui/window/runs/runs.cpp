#include "window/runs/runs.h"

#include "base/page_parts.h"
#include "base/plain_text.h"
#include "window/messages/messages.h"
#include "window/runs/run_list.h"
#include "window/runs/run_store.h"

#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/window_options.h>

#include <QLineEdit>
#include <QToolButton>

namespace olab::ui {

RunNameDelegate::RunNameDelegate(RunList* runs)
    : QStyledItemDelegate(runs)
    , m_runs(runs) {}

QWidget* RunNameDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                       const QModelIndex&) const {
    auto* line = new QLineEdit(parent);
    line->setAccessibleName(tr("Name of the run"));
    setTip(*line, tr("What this run is called here, in pictures and in its file; Enter keeps it"));
    line->setMaxLength(static_cast<int>(io::kMaxTitleBytes));
    return line;
}

void RunNameDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* line = static_cast<QLineEdit*>(editor);
    if (const view::RunPtr run = m_runs->runAt(index.row()); run && !line->isModified())
        line->setText(titleText(*run));
}

void RunNameDelegate::setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const {
    emit named(index.row(), static_cast<QLineEdit*>(editor)->text());
}

void RunNameDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex&) const {
    const QSize picture = option.decorationSize;
    const int left = option.rect.left() + picture.width() + 6;
    editor->setGeometry(left, option.rect.top(), std::max(option.rect.right() - left, 80),
                        std::max(editor->sizeHint().height(), 1));
}

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

Runs::Runs(Session& session, const WindowOptions& options, Messages& messages, QObject& owner)
    : QObject(&owner)
    , m_session(session)
    , m_store(new RunStore(options.runMemory, options.runFolder, this))
    , m_list(new RunList(*m_store)) {
    connectList();
    connect(m_store, &RunStore::failed, &messages,
            [&messages](const run::RunnerError& e) { messages.error(e); });
    connect(&session, &Session::ended, m_store, &RunStore::balanceSoon);
    connect(&session, &Session::readyToCompare, this, &Runs::compare);
    connect(&session, &Session::refined, this, &Runs::refine);
}

bool Runs::account() {
    const auto work = [this, shown = m_current](const JobTools& tools, JobResult& out) {
        shown->setAccount(std::make_shared<const view::Account>(
            shown->facts, *shown->recording->lanes, recording::accountFor(*shown->recording, tools.control),
            tools.control));
        out.then = [this, shown] {
            if (isCurrent(shown))
                emit accounted();
        };
    };
    return m_session.start(*this, {tr("Working out where the time went"), work});
}

bool Runs::findSteadyState() {
    const auto work = [this, shown = m_current](const JobTools& tools, JobResult& out) {
        const view::AccountPtr account = shown->account();
        shown->setSteadyState(recording::steadyStateFor(
            *shown->recording, account ? account->sharedLedger() : nullptr, tools.control));
        out.then = [this, shown] {
            if (isCurrent(shown))
                emit steadyStateFound();
        };
    };
    return m_session.start(*this, {tr("Finding the repeating iteration"), work});
}

void Runs::connectList() {
    connect(m_list, &RunList::chosen, this, [this](const view::ViewDataPtr& shown) {
        emit chosen();
        setCurrent(shown);
    });
    connect(m_list, &RunList::itemClicked, this, &Runs::chosen);
    connect(m_list, &RunList::itemActivated, this, &Runs::chosen);
    connect(m_list, &RunList::pairChosen, this, &Runs::compare);
    connect(m_list, &RunList::emptied, this, [this] { setCurrent(nullptr); });
}

QWidget* Runs::makeView() {
    auto* box = new QWidget;
    auto* column = columnIn(box, {}, 0);
    column->addWidget(m_list, 1);
    column->addWidget(new RunsFoot(*m_store));
    return box;
}

void Runs::setCurrent(const view::ViewDataPtr& shown) {
    if (shown == m_current)
        return;
    m_current = shown;
    emit currentChanged();
}

void Runs::refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    emit refined(before, after);
    m_list->replace(after);
    if (!isCurrent(before))
        return;
    m_current = after;
    emit currentRefined(before);
}

} // namespace olab::ui
