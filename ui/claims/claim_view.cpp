#include "claims/claim_view.h"

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/page_parts.h"
#include "claims/claim_state.h"
#include "timeline/canvas/small_picture.h"

#include <olab/claims/claim_words.h>
#include <olab/comparison/comparison.h>
#include <olab/trace/value_text.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QPixmap>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace olab::ui {

namespace {

constexpr int kIndent = 18;              // in usual type
constexpr QSize kPicture(420, 64);       // of a run
constexpr std::size_t kMostNumbers = 40; // of a probe, when nothing says which are meant

/// "streams=2, memset=off": what a run sets, beside the defaults.
QString settingsText(const experiment::Experiment& experiment) {
    QStringList parts;
    for (const comparison::OptionDifference& one :
         comparison::optionDifferences(experiment::HeldExperiment{}, experiment))
        parts << fromText(std::string(one.key) + "=" + one.after);
    return parts.join(QStringLiteral(", "));
}

/// Of the claim's rules, which runs of this experiment they look at.
std::set<std::string> runsMeant(const claims::ClaimRow& claim) {
    std::set<std::string> runs;
    for (const claims::ClaimCase& tested : claim.cases)
        for (const auto* rules : {&tested.holds, &tested.contrary})
            for (const std::string& rule : *rules)
                for (const std::string& run : claims::runsOf(rule))
                    runs.insert(run);
    return runs;
}

/// Of the claim's rules, which numbers of the probe they look at.
std::set<std::string> numbersMeant(const claims::ClaimRow& claim) {
    constexpr std::string_view kNumber = "number(";
    std::set<std::string> names;
    for (const claims::ClaimCase& tested : claim.cases)
        for (const auto* rules : {&tested.holds, &tested.contrary})
            for (const std::string& rule : *rules)
                if (const auto at = rule.find(kNumber); at != rule.npos)
                    names.insert(rule.substr(at + kNumber.size(), rule.find(')', at) - at - kNumber.size()));
    return names;
}

/// The lines with their numbers in the source text; those that are meant stand out by sign, weight and
/// ground.
RichText codeText(const claims::ClaimCode& code, bool wrong, const Theme& theme) {
    const QString ground = theme.raised.name(), ink = theme.text.name(),
                  sign = wrong ? QStringLiteral("✗") : QStringLiteral("➤");
    RichText rows;
    for (std::size_t i = 0; i < code.listing->lines.size(); ++i) {
        const int number = code.listing->numbers[i];
        const bool marked = std::ranges::find(code.marked, number) != code.marked.end();
        const QString line = breakable(shownText(exactText(code.listing->lines[i])))
                                 .replace(QStringLiteral("  "), QStringLiteral("\u00a0\u00a0"));
        rows += marked ? RichText("<tr style='background-color:%4;color:%5'><td><b>%1 "
                                  "%2&nbsp;</b></td><td><code><b>%3</b></code></td></tr>",
                                  {sign, QString::number(number), line, ground, ink})
                       : RichText("<tr><td align='right'>%1&nbsp;</td><td><code>%2</code></td></tr>",
                                  {QString::number(number), line});
    }
    return RichText::wrap("<table cellspacing='0' cellpadding='1'>%1</table>", rows);
}

QString spokenCode(const claims::ClaimCode& code) {
    QStringList lines;
    for (std::size_t i = 0; i < code.listing->lines.size(); ++i)
        if (std::ranges::find(code.marked, code.listing->numbers[i]) != code.marked.end())
            lines << QObject::tr("line %1: %2")
                         .arg(code.listing->numbers[i])
                         .arg(fromText(code.listing->lines[i]));
    return QObject::tr("Code of the source text; marked: %1").arg(lines.join(QStringLiteral("; ")));
}

void addAtLeft(QVBoxLayout& column, std::initializer_list<QWidget*> widgets, int indent = 0) {
    auto* row = rowIn(nullptr, {indent, 0, 0, 0});
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    row->addStretch(1);
    column.addLayout(row);
}

} // namespace

ClaimView::ClaimView(QWidget* parent)
    : QScrollArea(parent) {
    nameWidget(*this, "claimView", tr("The claim"));
    scrollPage(*this, false);
    setFocusPolicy(Qt::StrongFocus); // to be read by keys
    new LookWatch(*this, [this] {
        if (m_claim)
            build();
    });
}

void ClaimView::showClaim(const claims::ClaimRow& claim, const ClaimsShown& shown, const Where& where) {
    const bool another = m_claim != &claim;
    if (another)
        m_pressed.clear();
    m_claim = &claim;
    m_shown = shown;
    m_where = where;
    build();
    if (another)
        verticalScrollBar()->setValue(0);
}

void ClaimView::build() {
    const QWidget* const focus = window()->focusWidget();
    const QString focused = focus == this                  ? m_pressed
                            : focus && isAncestorOf(focus) ? focus->objectName()
                                                           : QString();
    const int at = verticalScrollBar()->value();
    auto* page = new QWidget;
    auto* column = columnIn(page, {12, 8, 12, 12}, 4);
    addHead(*column);
    addActions(*column);
    addSource(*column);
    const claims::ClaimResult *here = m_shown.here(m_claim->id),
                              *recorded = ClaimsShown::recorded(m_claim->id);
    if (here)
        addEvidence(*column, *here, *m_shown.hereIn(m_claim->id));
    if (recorded)
        addEvidence(*column, *recorded, *claims::recordedClaims());
    for (const std::string& id : claims::experimentsOf(*m_claim))
        if (const claims::LabExperiment* experiment = claims::findLabExperiment(id))
            addExperiment(*column, *experiment);
    addCode(*column);
    column->addStretch(1);
    if (QWidget* old = takeWidget())
        old->deleteLater(); // one of its buttons may have asked for this
    setWidget(page);
    keepTabOrderIn(*this);
    verticalScrollBar()->setValue(at);
    if (focused.isEmpty())
        return;
    auto* again = page->findChild<QWidget*>(focused);
    m_pressed = again && !again->isEnabled() ? focused : QString();
    (again && again->isEnabled() ? again : static_cast<QWidget*>(this))->setFocus(Qt::OtherFocusReason);
}

void ClaimView::addHead(QVBoxLayout& column) {
    const claims::ClaimResult* const best = m_shown.best(m_claim->id);
    column.addWidget(
        claimHeading(fromText(m_claim->id) + QStringLiteral("  ") + sentence(m_claim->claim), true));
    const QString measured = best ? outcomeText(best->outcome) : tr("not measured");
    const QString both = agreementText(*m_claim, best);
    const QString where = best ? whereText(*m_shown.bestIn(m_claim->id)) : QString();
    auto* verdict = claimRich(RichText("%1 <b>%2</b> &nbsp; %3 <b>%4</b> &nbsp; <b>%5</b><br>%6",
                                       {tr("Expected"), documentedText(m_claim->documented), tr("measured"),
                                        measured, both, where}),
                              tr("Expected: %1; measured: %2; %3; %4")
                                  .arg(documentedText(m_claim->documented), measured, both, where));
    verdict->setObjectName(QStringLiteral("claimVerdict"));
    column.addWidget(verdict);
    if (best && !best->reason.empty())
        column.addWidget(wordsLabel(sentence(best->reason)));
}

void ClaimView::addActions(QVBoxLayout& column) {
    if (!m_claim->needs.empty())
        column.addWidget(wordsLabel(tr("Not testable here: %1").arg(sentence(m_claim->needs))));
    if (claims::experimentsOf(*m_claim).empty())
        return;
    auto* again = makeButton(
        m_where.onGpu ? tr("Run again on the GPU") : tr("Run again on the simulator"),
        QStringLiteral("claimRunAgain"),
        m_where.onGpu ? tr("Measures all runs and probes that decide this claim, with their controls")
                      : tr("Simulates the runs that decide this claim; a probe needs a GPU, and without one "
                           "the recorded numbers stand"));
    again->setEnabled(!m_where.busy);
    connect(again, &QPushButton::clicked, this, [this] { emit againRequested(*m_claim); });
    addAtLeft(column, {again});
    if (!m_where.problem.isEmpty())
        column.addWidget(claimHeading(m_where.problem));
}

void ClaimView::addSource(QVBoxLayout& column) {
    const auto sources = claims::claimSources();
    const auto source = std::ranges::find(sources, m_claim->source, &claims::ClaimSource::id);
    column.addWidget(claimHeading(tr("Where it is claimed")));
    if (source != sources.end())
        column.addWidget(wordsLabel(fromText(source->title + " (" + source->published + ")")));
    column.addWidget(wordsLabel(fromText(m_claim->place)));
    column.addWidget(claimHeading(tr("What is expected, and why")));
    column.addWidget(wordsLabel(sentence(m_claim->reason)));
    column.addWidget(dimLabel(tr("Reference: %1").arg(fromText(m_claim->reference))));
}

void ClaimView::addEvidence(QVBoxLayout& column, const claims::ClaimResult& result,
                            const claims::ClaimsResults& in) {
    column.addWidget(claimHeading(tr("The numbers that decided it: %1").arg(outcomeText(result.outcome))));
    column.addWidget(dimLabel(whereText(in)));
    for (std::size_t i = 0; i < result.cases.size() && i < m_claim->cases.size(); ++i)
        addCase(column, m_claim->cases[i], result.cases[i]);
    for (const std::string& id : claims::experimentsOf(*m_claim))
        if (const claims::LabResult* lab = claims::findLabResult(in, id); lab && !lab->control.empty())
            column.addWidget(
                wordsLabel(tr("%1 is not believed: %2").arg(fromText(id), sentence(lab->control))));
}

void ClaimView::addCase(QVBoxLayout& column, const claims::ClaimCase& tested,
                        const claims::CaseResult& result) {
    const int indent = ViewStyle::of(font()).scaled(kIndent);
    const QString side = result.side == claims::CaseSide::Holds      ? tr("so it is")
                         : result.side == claims::CaseSide::Contrary ? tr("not so")
                                                                     : tr("open");
    addSigned(column, sideSign(result.side), wordsLabel(tr("%1: %2").arg(sentence(tested.says), side)));
    const std::vector<claims::RuleValue> values = claims::ruleValues(tested, result);
    if (values.empty() || (result.side == claims::CaseSide::Open && !values.front().judged))
        addSigned(column, QString(), dimLabel(sentence(result.text)), indent);
    for (const claims::RuleValue& value : values) {
        auto* words = claimRich(
            RichText("%1? %2 <b>%3</b> (%4)", {breakable(sentence(value.words)), tr("Found:"),
                                               sentence(value.found), breakable(fromText(value.run))}),
            tr("%1? Found: %2, in %3")
                .arg(sentence(value.words), sentence(value.found), fromText(value.run)));
        setTip(*words, fromText(value.run + ": " + value.expression));
        words->setTextInteractionFlags(Qt::NoTextInteraction); // as of the code below
        addSigned(column,
                  !value.judged ? QStringLiteral("?")
                  : value.holds ? QStringLiteral("✓")
                                : QStringLiteral("✗"),
                  words, indent);
    }
}

void ClaimView::addExperiment(QVBoxLayout& column, const claims::LabExperiment& experiment) {
    column.addWidget(
        claimHeading(tr("Experiment %1: %2").arg(fromText(experiment.id), fromText(experiment.title))));
    if (experiment.isProbe()) {
        column.addWidget(dimLabel(tr("A probe: a small program that does what no option can express and "
                                     "leaves numbers, no timeline.")));
        addNumbers(column, experiment);
    }
    const std::set<std::string> meant = runsMeant(*m_claim);
    for (const claims::LabRun& run : experiment.runs)
        if (meant.contains(experiment.id + "." + run.name))
            addRun(column, experiment, run);
    addControls(column, experiment);
}

/// Runs of options need those of all, too.
void ClaimView::addControls(QVBoxLayout& column, const claims::LabExperiment& experiment) {
    QStringList controls;
    const claims::LabExperiment* const ofAll =
        experiment.isProbe() ? nullptr : claims::findLabExperiment(claims::kControlsOfAll);
    for (const claims::LabExperiment* one : {ofAll, &experiment})
        if (one)
            for (const claims::LabControl& control : one->controls)
                controls << sentence(control.says);
    if (!controls.isEmpty())
        column.addWidget(dimLabel(
            tr("Believed only while its controls hold: %1.").arg(controls.join(QStringLiteral("; ")))));
}

void ClaimView::addRun(QVBoxLayout& column, const claims::LabExperiment& experiment,
                       const claims::LabRun& run) {
    const std::string name = experiment.id + "." + run.name;
    const QString shownName = fromText(name);
    const int indent = ViewStyle::of(font()).scaled(kIndent);
    QString says = shownName + QStringLiteral(": ") + settingsText(run.experiment);
    const claims::LabResult* lab =
        claims::recordedClaims() ? claims::findLabResult(*claims::recordedClaims(), experiment.id) : nullptr;
    if (lab)
        if (const auto at = lab->numbers.find(run.name + ".makespan"); at != lab->numbers.end())
            says += tr("; took %1 (RECORDED)").arg(durationText(static_cast<Ns>(at->second)));
    column.addWidget(wordsLabel(says));
    auto* here = makeButton(
        m_where.onGpu ? tr("Run it on the GPU") : tr("Simulate it"), QStringLiteral("run ") + shownName,
        tr("Fills the form with these settings and runs them: the timeline shows %1").arg(shownName));
    here->setAccessibleName(tr("%1: %2").arg(here->text(), shownName));
    here->setEnabled(!m_where.busy && !run.serialKernels);
    connect(here, &QPushButton::clicked, this, [this, &run] { emit runRequested(run); });
    const view::ViewDataPtr shown = m_shown.run(name);
    if (!shown)
        return addAtLeft(column, {here}, indent);
    auto* picture = makeLabel();
    picture->setPixmap(QPixmap::fromImage(pictureOf(*shown, kPicture, Theme::of(palette()))));
    picture->setScaledContents(true); // where there is less room it gives way
    picture->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    picture->setMaximumSize(kPicture);
    picture->setAccessibleName(tr("Timeline of %1").arg(shownName));
    column.addWidget(picture);
    column.addWidget(
        dimLabel(tr("What its engines did over time; %1").arg(fromText(shown->recording->badge()))));
    auto* open = makeButton(tr("Show in the timeline"), QStringLiteral("show ") + shownName,
                            tr("Opens this recording with its verdicts and findings"));
    open->setAccessibleName(tr("%1: %2").arg(open->text(), shownName));
    connect(open, &QPushButton::clicked, this, [this, shown] { emit showRequested(shown); });
    addAtLeft(column, {open, here}, indent);
}

/// What the claim's rules look at.
void ClaimView::addNumbers(QVBoxLayout& column, const claims::LabExperiment& experiment) {
    const claims::ClaimsResults* const in = m_shown.bestIn(m_claim->id);
    const claims::LabResult* const lab = in ? claims::findLabResult(*in, experiment.id) : nullptr;
    if (!lab || lab->numbers.empty())
        return;
    QStringList parts;
    for (const std::string& name : numbersMeant(*m_claim))
        if (const auto at = lab->numbers.find(name); at != lab->numbers.end())
            if (static_cast<std::size_t>(parts.size()) < kMostNumbers)
                parts << fromText(name + " = " + shortText(at->second, 6));
    if (!parts.isEmpty())
        column.addWidget(
            wordsLabel(tr("Its numbers (times in ns): %1").arg(parts.join(QStringLiteral(", ")))));
}

void ClaimView::addCode(QVBoxLayout& column) {
    const claims::ClaimCode& code = claims::claimCode(m_claim->id);
    if (!code.listing)
        return;
    const bool wrong = m_claim->documented == claims::Documented::False;
    column.addWidget(claimHeading(wrong ? tr("The code of the source, with the wrong line marked ✗")
                                        : tr("The code of the source; ➤ marks what the claim is about")));
    auto* label = claimRich(codeText(code, wrong, Theme::of(palette())), spokenCode(code));
    label->setObjectName(QStringLiteral("claimCode"));
    label->setTextInteractionFlags(Qt::NoTextInteraction); // what is copied would hold its places to break
    column.addWidget(label);
    column.addWidget(dimLabel(
        tr("As it stands there, with the line numbers of the source text; it is quoted, not recommended.")));
}

} // namespace olab::ui
