#include "results/code_page.h"

#include "base/page_parts.h"
#include "results/code_view.h"

#include <olab/experiment/option_table.h>
#include <olab/ui/format.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

std::vector<code::DiffLine> linesOf(const code::CudaCode& code) {
    std::vector<code::DiffLine> lines;
    for (const code::CodeLine& line : code.lines)
        lines.push_back({code::CodeChange::Kept, line});
    return lines;
}

/// "memset: on → off"
QString changesText(const experiment::Experiment& before, const experiment::Experiment& now) {
    QStringList changes;
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (const std::string was = row.get(before), is = row.get(now); was != is)
            changes << QStringLiteral("%1: %2 → %3").arg(fromText(row.key), fromText(was), fromText(is));
    return changes.join(QStringLiteral(", "));
}

QString countsText(const std::vector<code::DiffLine>& lines) {
    const auto count = [&](code::CodeChange change) {
        return static_cast<int>(std::ranges::count(lines, change, &code::DiffLine::change));
    };
    return QObject::tr("+%1 −%2 lines")
        .arg(count(code::CodeChange::Added))
        .arg(count(code::CodeChange::Removed));
}

} // namespace

CodePage::CodePage(QWidget* parent)
    : QWidget(parent)
    , m_source(new QComboBox)
    , m_status(new ElidedLabel)
    , m_copy(makeButton(tr("Copy"), {}, tr("Copies the whole program")))
    , m_save(makeButton(tr("Save as .cu..."), {},
                        tr("Saves the program; nvcc file.cu -o program makes it, without any "
                           "other flag")))
    , m_view(new CodeView)
    , m_why(makeLabel()) {
    m_source->addItems(
        {tr("Code of the run"), tr("Code of the settings"), tr("Run → settings"), tr("Before → after")});
    m_source->setAccessibleName(tr("Whose code"));
    setTip(*m_source,
           tr("Whose code is shown: the run's on the screen, that of the settings in the form, or what "
              "becomes of one in the other"));
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_why->setAlignment(Qt::AlignCenter);
    m_why->setWordWrap(true);
    auto* head = rowIn(nullptr, {8, 3, 8, 3});
    head->addWidget(m_source);
    head->addSpacing(6);
    head->addWidget(m_status, 1);
    head->addWidget(m_copy);
    head->addWidget(m_save);
    auto* column = columnIn(this, {}, 0);
    column->addLayout(head);
    column->addWidget(m_view, 1);
    column->addWidget(m_why, 1);
    m_why->hide();
    connect(m_source, &QComboBox::currentIndexChanged, this, &CodePage::refresh);
    connect(m_view, &CodeView::lineChosen, this, &CodePage::chooseLine);
    connect(m_view, &CodeView::lineEntered, this, &CodePage::goToWork);
    connect(m_view, &CodeView::lineRead, this, &CodePage::sayKeys);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(exactText(m_text));
        m_status->setText(tr("Copied."));
    });
    connect(m_save, &QPushButton::clicked, this, [this] { emit saveRequested(exactText(m_text)); });
    enableSources();
}

CodePage::Source CodePage::source() const {
    return static_cast<Source>(m_source->currentIndex());
}

QString CodePage::status() const {
    return m_status->text();
}

void CodePage::setSource(Source source) {
    const QSignalBlocker quiet(m_source);
    m_source->setCurrentIndex(static_cast<int>(source));
    refreshSoon();
}

/// What there is nothing for cannot be chosen.
void CodePage::enableSources() {
    auto* model = qobject_cast<QStandardItemModel*>(m_source->model());
    const bool run = m_shown != nullptr, form = m_form.has_value();
    const bool there[] = {run, form, run && form && m_shown->recording->experiment != nullptr,
                          m_before.has_value()};
    for (int i = 0; i < static_cast<int>(std::size(there)); ++i)
        model->item(i)->setEnabled(there[i]);
}

void CodePage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_selected.reset();
    m_lit.clear();
    enableSources();
    const auto& experiment = sideOf(shown).experiment;
    const bool isCompared =
        m_after && (experiment == m_after->experiment || experiment == m_before->experiment);
    if (source() != Source::Compared || !isCompared)
        setSource(shown ? Source::Run : Source::Form);
}

void CodePage::setForm(const experiment::Experiment& experiment) {
    m_formBefore = std::exchange(m_form, experiment);
    m_lit.clear();
    enableSources();
    const experiment::Experiment* shown = m_shown ? m_shown->recording->experiment.get() : nullptr;
    if (shown && experiment::sameOptions(*shown, experiment) && source() != Source::Compared)
        setSource(Source::Run);
    else if (m_formBefore && *m_formBefore != experiment && source() != Source::FormChange)
        setSource(Source::Form);
    else if (!m_shown)
        setSource(Source::Form);
    refreshSoon();
}

void CodePage::setCompared(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    if (!before || !after)
        return;
    m_before = sideOf(before);
    m_after = sideOf(after);
    enableSources();
    setSource(Source::Compared);
}

void CodePage::setSelected(std::optional<ActivityIndex> activity) {
    m_selected = activity;
    if (isVisible() && !m_stale)
        mark(!m_choosing);
}

void CodePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

/// A page that nobody sees makes no program.
void CodePage::refreshSoon() {
    m_stale = true;
    if (isVisible())
        refresh();
}

CodePage::Side CodePage::sideOf(const view::ViewDataPtr& shown) {
    if (!shown)
        return {{}, tr("Nothing is shown yet: run an experiment, or open a recording of one.")};
    if (shown->recording->experiment)
        return {*shown->recording->experiment, {}};
    return {{},
            tr("There is no code for this recording: it is of a program that is not the lab's, and records "
               "say what ran, not what was written.")};
}

void CodePage::refresh() {
    m_stale = false;
    const Side form = m_form ? Side{*m_form, {}} : Side{{}, tr("The form is empty.")};
    switch (source()) {
    case Source::Run:
        return showLines({}, sideOf(m_shown));
    case Source::Form:
        return showLines({m_formBefore, {}}, form);
    case Source::FormChange:
        return showLines(sideOf(m_shown), form);
    case Source::Compared:
        return showLines(m_before.value_or(Side{}), m_after.value_or(Side{}));
    }
}

void CodePage::showWhy(const QString& why) {
    m_text.clear();
    m_view->hide();
    m_why->setText(why);
    m_why->show();
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
    say({});
}

void CodePage::showLines(const Side& before, const Side& now) try {
    const bool compares = source() == Source::FormChange || source() == Source::Compared;
    if (!now.experiment || (compares && !before.experiment))
        return showWhy(now.experiment ? before.why : now.why);
    const code::CudaCode code = code::cudaCode(*now.experiment);
    std::vector<code::DiffLine> lines = linesOf(code);
    if (before.experiment && experiment::conflicts(*before.experiment).empty()) {
        std::vector<code::DiffLine> changes = code::codeDiff(code::cudaCode(*before.experiment), code);
        say(*before.experiment == *now.experiment
                ? (compares ? tr("Both have the same program.") : QString())
                : tr("%1: %2").arg(changesText(*before.experiment, *now.experiment), countsText(changes)));
        m_lit.clear();
        for (std::size_t i = 0; !compares && i < changes.size(); ++i)
            if (changes[i].change == code::CodeChange::Added && !changes[i].line.options.empty())
                m_lit.push_back(changes[i].line.text);
        if (compares)
            lines = std::move(changes);
    } else {
        say(code.missing.empty() ? QString() : fromText(code.missing.front()));
    }
    m_text = code::codeText(code);
    m_view->setLines(std::move(lines));
    m_why->hide();
    m_view->show();
    m_copy->setEnabled(true);
    m_save->setEnabled(true);
    mark(true);
} catch (const Error& error) {
    showWhy(tr("There is no program for these settings. %1").arg(fromText(error.what())));
}

void CodePage::say(const QString& text) {
    m_said = cutText(text);
    m_status->setText(m_said);
}

/// Whether an operation is one of this line's, and ran.
bool CodePage::isWorkOf(int line, const experiment::Op& op) const {
    const std::uint32_t ops = m_view->lines()[static_cast<std::size_t>(line)].line.ops;
    return (ops >> static_cast<unsigned>(op.kind) & 1u) != 0 && !m_shown->facts.ofOp(op.id).empty();
}

/// Whether operations of the run on the screen are this line's.
bool CodePage::runsWork(int line) const {
    if (!m_shown || !m_shown->facts.schedule() || line < 0 ||
        static_cast<std::size_t>(line) >= m_view->lines().size())
        return false;
    return std::ranges::any_of(m_shown->facts.schedule()->ops,
                               [&](const experiment::Op& op) { return isWorkOf(line, op); });
}

void CodePage::sayKeys(int line) {
    if (!m_said.isEmpty() || !m_shown || !m_shown->facts.schedule())
        return;
    m_status->setText(runsWork(line) ? tr("Enter: the operations of this line, one after the other")
                                     : tr("This line runs no operation. Enter: to the next one that does"));
}

/// From a line that runs nothing to the next that does; behind the last to the first.
void CodePage::goToWork(int line) {
    const int count = static_cast<int>(m_view->lines().size());
    if (runsWork(line))
        return;
    for (int on = 1; on < count; ++on)
        if (const int at = (line + on) % count; runsWork(at))
            return m_view->goTo(at);
}

/// A bit for the kind of the op that is selected, or was issued by the selected call.
std::uint32_t CodePage::selectedOps() const {
    if (!m_selected || !m_shown)
        return 0;
    for (const ActivityIndex index : m_shown->sameOp(*m_selected))
        if (const experiment::Op* op = m_shown->facts.opOf(index))
            return std::uint32_t{1} << static_cast<unsigned>(op->kind);
    const experiment::Op* op = m_shown->facts.opOf(*m_selected);
    return op ? std::uint32_t{1} << static_cast<unsigned>(op->kind) : 0;
}

void CodePage::mark(bool bringIntoView) {
    const std::uint32_t ops = selectedOps();
    const auto isLit = [this](const code::CodeLine& line) {
        return source() == Source::Form && std::ranges::find(m_lit, line.text) != m_lit.end();
    };
    std::vector<LineMark> marks;
    for (const code::DiffLine& line : m_view->lines())
        marks.push_back((line.line.ops & ops) != 0 ? LineMark::Selected
                        : isLit(line.line)         ? LineMark::Option
                                                   : LineMark::None);
    m_view->setMarks(std::move(marks), bringIntoView);
}

/// The next op of the line's behind the one that is selected, else its first.
void CodePage::chooseLine(int line) {
    if (!runsWork(line))
        return;
    const experiment::Op* selected = m_selected ? m_shown->facts.opOf(*m_selected) : nullptr;
    ActivityIndex first = kNoActivity;
    for (const experiment::Op& op : m_shown->facts.schedule()->ops) {
        if (!isWorkOf(line, op))
            continue;
        const ActivityIndex last = m_shown->facts.ofOp(op.id).back(); // of a call and its work the work
        if (first == kNoActivity)
            first = last;
        if (!selected || selected->id < op.id) {
            first = last;
            break;
        }
    }
    m_choosing = true;
    emit activityChosen(first);
    m_choosing = false;
}

} // namespace olab::ui
