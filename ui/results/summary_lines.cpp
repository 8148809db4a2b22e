#include "results/summary_lines.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <olab/analysis/race.h>
#include <olab/comparison/agreement.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>

#include <set>

namespace olab::ui {

namespace {

constexpr qsizetype kLongest = 600; // letters: the lanes need the room

} // namespace

WrappedLine::WrappedLine(const QString& name, const QMargins& padding, QWidget* parent)
    : PlainLabel(parent) {
    setContentsMargins(padding);
    setObjectName(name);
    setWordWrap(true);
    setMinimumWidth(1); // no long word of a file makes the window wider
    say({});
}

void WrappedLine::say(const QString& text) {
    setText(cutText(text, kLongest));
    fit();
    setVisible(!text.isEmpty() && !m_makesRoom);
    // What says nothing takes no focus.
    setTextInteractionFlags(text.isEmpty() ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
}

void WrappedLine::setMakesRoom(bool makesRoom) {
    m_makesRoom = makesRoom;
    setVisible(!text().isEmpty() && !m_makesRoom);
}

void WrappedLine::fit() {
    const QMargins padding = contentsMargins();
    const QRect room(0, 0, width() - padding.left() - padding.right(), QWIDGETSIZE_MAX);
    const int lines = fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height();
    setFixedHeight(lines + padding.top() + padding.bottom());
}

void WrappedLine::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fit();
}

void WrappedLine::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

RaceLine::RaceLine(QWidget* parent)
    : WrappedLine(QStringLiteral("race"), {8, 6, 8, 6}, parent) {
    const auto ink = [this] {
        QPalette colours; // of the words alone: the rest is as everywhere
        colours.setColor(QPalette::WindowText, Theme::of(palette()).errorText);
        setPalette(colours);
    };
    new LookWatch(*this, ink);
    ink();
    setTip(*this, tr("The data that came back was checked: it is not what the steps should have made of it"));
}

void RaceLine::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(rect(), Theme::of(palette()).error);
    WrappedLine::paintEvent(event);
}

void RaceLine::setShown(const view::ViewDataPtr& shown) {
    const std::string race = shown ? shown->recording->raceText() : std::string();
    if (race.empty())
        return say({});
    const QString words = sentence(race) + QLatin1Char(' ') + sentence(analysis::kRaceHint);
    setAccessibleName(words); // without the sign
    say(QStringLiteral("⚠ ") + words);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

namespace {

constexpr qsizetype kLongestGapName = 24;

/// Of all devices, a line each.
QString allIdle(const std::vector<recording::DeviceIdle>& idle) {
    QStringList lines;
    for (const recording::DeviceIdle& device : idle)
        lines << sentence(recording::idleText(device));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

IdleLine::IdleLine(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel) {
    setAccessibleName(tr("Idle time"));
    auto* column = columnIn(this, {8, 4, 8, 1}, 2);
    m_text->setFont(boldOf(m_text->font()));
    column->addWidget(m_text);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(new PlainLabel(tr("Largest gaps:")));
    for (std::size_t at = 0; at < recording::kLargestGaps; ++at) {
        m_gaps.push_back(new QPushButton(tr("Gap"))); // until there is one
        m_gaps.back()->setObjectName(QStringLiteral("idleGap%1").arg(at));
        connect(m_gaps.back(), &QPushButton::clicked, this, [this, at] { emit gapChosen(m_times[at]); });
        row->addWidget(m_gaps.back());
    }
    row->addStretch();
    column->addLayout(row);
    hide();
}

void IdleLine::setShown(const view::ViewDataPtr& shown) {
    const std::vector<recording::DeviceIdle> idle =
        shown ? shown->idle() : std::vector<recording::DeviceIdle>();
    m_says = !idle.empty();
    setVisible(m_says && !m_makesRoom);
    if (!m_says)
        return m_text->clear();
    m_text->setText(sentence(recording::idleText(idle.front())));
    setTip(*m_text, allIdle(idle));
    m_times.assign(m_gaps.size(), {});
    for (std::size_t at = 0; at < m_gaps.size(); ++at)
        showGap(at, idle.front(), shown->zero());
}

void IdleLine::showGap(std::size_t at, const recording::DeviceIdle& idle, Ns zero) {
    m_gaps[at]->setVisible(at < idle.largest.size());
    if (at >= idle.largest.size())
        return;
    const recording::IdleGap& gap = idle.largest[at];
    m_times[at] = {idle.device, gap.time};
    const QString length = durationText(gap.time.length());
    const QString name = cutText(fromText(gap.host.name), kLongestGapName);
    m_gaps[at]->setText(shownText(name.isEmpty() ? length : tr("%1 in %2").arg(length, name))
                            .replace(QLatin1Char('&'), QStringLiteral("&&")));
    setTip(*m_gaps[at], tr("%1, %2 after the first work of a GPU. Click to see it.")
                            .arg(sentence(recording::gapText(gap)), durationText(gap.time.begin - zero)));
}

void IdleLine::setMakesRoom(bool makesRoom) {
    m_makesRoom = makesRoom;
    setVisible(m_says && !m_makesRoom);
}

QString IdleLine::text() const {
    return m_says ? m_text->text() : QString();
}

namespace {

constexpr qsizetype kMostLines = 2; // of damage: it must not push the timeline out of the window

/// What olab says of it, in the same words; of what is said of several classes the first, the page
/// File has them all.
QStringList damageLines(const recording::Recording& recording) {
    QStringList lines;
    std::set<DefectCode> said;
    for (const Defect& defect : recording::damageOf(recording.report)) {
        if (!said.insert(defect.code).second)
            continue;
        QString line = QStringLiteral("⚠ ") + sentence(defect.text());
        if (defect.count > 1)
            line = counted("%1 (%n times)", "%1 (%n time)", defect.count).arg(line);
        lines << line;
    }
    return lines;
}

/// Of a simulated run: the recording of a GPU with the same settings.
const comparison::ModelAgreement* recordedLike(const recording::Recording& recording) {
    const bool isSimulated = recording.trace.provenance().source == SourceKind::Simulated;
    return isSimulated && recording.experiment ? comparison::shippedAgreement(*recording.experiment)
                                               : nullptr;
}

} // namespace

TrustLine::TrustLine(QWidget* parent)
    : WrappedLine(QStringLiteral("trust"), {8, 0, 8, 4}, parent) {
    const auto shrink = [this] {
        const QFont usual = QApplication::font();
        setFont(ViewStyle::of(usual).smallFont(usual));
        sayAll(); // before a projector it says less
    };
    new LookWatch(*this, shrink);
    shrink();
    setAccessibleDescription(tr("How far to trust the verdicts"));
}

void TrustLine::setShown(const view::ViewDataPtr& shown) {
    m_trust = shown ? sentence(shown->recording->trust()) : QString();
    m_recorded.clear();
    m_beside.clear();
    if (const comparison::ModelAgreement* found = shown ? recordedLike(*shown->recording) : nullptr) {
        m_beside = sentence(comparison::agreementText(*found, true));
        m_recorded = sentence(comparison::agreementText(*found));
    }
    m_damage = shown ? damageLines(*shown->recording) : QStringList();
    m_note.clear();
    sayAll();
}

void TrustLine::setNote(const QString& note) {
    if (note == m_note)
        return;
    m_note = note;
    sayAll();
}

QString TrustLine::tip() const {
    if (!m_damage.isEmpty())
        return m_damage.join(QLatin1Char('\n'));
    if (!m_recorded.isEmpty())
        return m_recorded;
    return m_trust.isEmpty()
               ? tr("The same work is run with and without tracing, in pairs: what tracing adds is no "
                    "verdict "
                    "on the pipeline")
               : tr("From predicting measured runs that the device model had not seen (olab calibrate "
                    "--check)");
}

void TrustLine::sayAll() {
    setTip(*this, tip());
    QStringList lines = m_damage.mid(0, kMostLines);
    if (m_damage.size() > kMostLines)
        lines << tr("and %1 more, on the page File").arg(m_damage.size() - kMostLines);
    // What a GPU did with the very settings says more than how others like them were predicted.
    const bool hasRecorded = !m_beside.isEmpty() && !ViewStyle::of(font()).projector();
    QStringList first{hasRecorded ? m_beside : m_trust, m_note};
    first.removeAll(QString());
    if (!first.isEmpty())
        lines.prepend(first.join(QLatin1Char(' ')));
    say(lines.join(QLatin1Char('\n')));
    emit changed();
}

TrustRow::TrustRow(TrustLine& line, QWidget* parent)
    : QWidget(parent)
    , m_line(line)
    , m_button(new QPushButton(tr("File details"))) {
    auto* row = rowIn(this, {0, 0, 8, 0}, 4);
    row->addWidget(&line, 1);
    row->addWidget(m_button, 0, Qt::AlignTop);
    m_button->setObjectName(QStringLiteral("contentsOfFile"));
    setTip(*m_button, tr("What was found in the file and what was not, what can therefore not be judged, and "
                         "all that could not be used of it"));
    connect(m_button, &QPushButton::clicked, this, &TrustRow::contentsRequested);
    connect(&line, &TrustLine::changed, this, &TrustRow::offer);
    line.installEventFilter(this);
    offer();
}

void TrustRow::offer() {
    m_button->setVisible(m_line.saysDamage() && !m_line.isHidden());
    setVisible(!m_line.isHidden());
}

bool TrustRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        offer();
    return QWidget::eventFilter(watched, event);
}

} // namespace olab::ui
