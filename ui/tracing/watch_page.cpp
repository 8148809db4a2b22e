#include "tracing/watch_page.h"

#include "base/page_parts.h"
#include "results/headline_line.h"
#include "results/verdict_strip.h"
#include "timeline/rows/timeline_rows.h"
#include "tracing/recorded_strip.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/view/view_data.h>

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kLengths[] = {1, 2, 5, 10, 30}; // seconds
constexpr std::chrono::seconds kQuiet{2};     // then it is said that nothing comes

QPushButton* headButton(const QString& text, const char* name, const QString& tip,
                        const std::function<void()>& wish) {
    QPushButton* button = makeButton(text, QLatin1String(name), tip, wish);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QString secondsText(qint64 milliseconds) {
    return WatchPage::tr("%1 s").arg(milliseconds / 1000);
}

} // namespace

WatchPage::WatchPage(QWidget* parent)
    : QWidget(parent)
    , m_headline(new HeadlineLine)
    , m_verdicts(new VerdictStrip)
    , m_middle(new QStackedWidget)
    , m_nothing(wrappingLabel({}))
    , m_timeline(new TimelineView)
    , m_said(new ElidedLabel) {
    m_recorded = new RecordedStrip(m_timeline->canvas(), this);
    nameWidget(*this, "watch", tr("The last seconds of the program"));
    setFocusPolicy(Qt::StrongFocus);
    auto* column = columnIn(this, {0, 0, 0, 6}, 4);
    column->addWidget(buildHead());
    column->addWidget(m_headline);
    column->addWidget(m_verdicts);
    column->addWidget(m_recorded);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setFocusPolicy(Qt::StrongFocus);
    m_middle->addWidget(m_nothing);
    m_middle->addWidget(m_timeline);
    column->addWidget(m_middle, 1);
    m_said->setContentsMargins(10, 0, 10, 0);
    column->addWidget(m_said);
    connectTimeline();
    showNothing();
    tell();
}

QWidget* WatchPage::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 6, 10, 2});
    m_where = lineLabel({}, {}, true);
    m_process = new QComboBox;
    nameWidget(*m_process, "watchProcess", tr("Process"));
    setTip(*m_process, tr("Each process has a recording of its own: this one is looked at"));
    connect(m_process, &QComboBox::activated, this, [this](int place) { emit processChosen(place); });
    m_process->hide();
    m_length = new QComboBox;
    nameWidget(*m_length, "watchLength", tr("How much is looked at"));
    setTip(*m_length, tr("How much of the program is looked at, judged and shown once a second"));
    for (const int seconds : kLengths)
        m_length->addItem(tr("last %1 s").arg(seconds), seconds);
    setLength(kUsualLength);
    connect(m_length, &QComboBox::activated, this, [this] { emit lengthChosen(length()); });
    for (QComboBox* box : {m_process, m_length})
        box->setFocusPolicy(Qt::TabFocus);
    m_follow = headButton({}, "watchFollow",
                          tr("Shows what comes, or holds what is seen (Space). It holds still once "
                             "you zoom, move or select"),
                          [this] { setFollows(!m_follows); });
    row->addWidget(m_where, 1);
    row->addWidget(m_process);
    row->addWidget(m_length);
    row->addWidget(m_follow);
    row->addWidget(buildProgram());
    return head;
}

QWidget* WatchPage::buildProgram() {
    auto* box = new QWidget;
    auto* row = rowIn(box);
    m_record =
        headButton(tr("Record"), "watchRecord", tr("Switches recording on or off, while the program runs on"),
                   [this] { emit recordRequested(); });
    m_stop =
        headButton(tr("Stop the program"), "watchStop",
                   tr("As Ctrl+C in a terminal; its recording opens then"), [this] { emit stopRequested(); });
    row->addWidget(m_record);
    row->addWidget(m_stop);
    row->addWidget(headButton(tr("Output..."), "watchOutput",
                              tr("What the program says, and how it was started (Ctrl+T)"),
                              [this] { emit outputRequested(); }));
    row->addWidget(headButton(
        tr("Back"), "watchBack",
        tr("Leaves the program alone, which goes on and is recorded (Esc twice). Ctrl+T comes back"),
        [this] { emit backRequested(); }));
    return box;
}

void WatchPage::connectTimeline() {
    TimelineCanvas& canvas = m_timeline->canvas();
    canvas.ghosts().setShowsWaits(true);
    connect(&canvas, &TimelineCanvas::viewportChanged, this, [this, &canvas] {
        if (canvas.viewport().visible() != m_seen)
            lookedCloser();
    });
    connect(&canvas, &TimelineCanvas::selectionChanged, this, [this, &canvas] {
        if (canvas.selection().activity() || canvas.selection().gap() || canvas.selection().range())
            lookedCloser();
    });
    connect(m_verdicts, &VerdictStrip::placeChosen, this, [this, &canvas](const view::Place& worst) {
        if (m_judged == m_shown)
            canvas.showPlace(worst);
    });
    connect(m_headline, &HeadlineLine::moreRequested, this, [this] { emit keepRequested(m_judged); });
}

/// A person does something with what is shown.
void WatchPage::lookedCloser() {
    if (!m_isShowing && m_shown)
        setFollows(false);
}

void WatchPage::setFollows(bool follows) {
    if (std::exchange(m_follows, follows) == follows)
        return;
    if (follows && m_newestSeen)
        show(m_newestSeen);
    tell();
}

/// Neither verdicts nor lanes: there is nothing to judge.
void WatchPage::showNothing() {
    m_shown = m_judged = nullptr;
    m_seen = {};
    m_isShowing = true;
    m_timeline->setShown(nullptr);
    m_isShowing = false;
    m_headline->setShown(nullptr);
    m_verdicts->hide();
    m_recorded->setOn({});
    m_middle->setCurrentWidget(m_nothing);
    setFocusProxy(m_nothing);
}

void WatchPage::clear() {
    m_newest = m_newestSeen = nullptr;
    showNothing();
    m_sinceShown.invalidate();
    setFollows(true);
    tell();
}

void WatchPage::setProgram(const Program& program) {
    m_program = program;
    m_where->setText(program.text);
    m_record->setVisible(program.waits);
    m_record->setText(program.isRecording ? tr("Stop recording") : tr("Record"));
    m_stop->setText(program.isStopping ? tr("Stop at once") : tr("Stop the program"));
}

void WatchPage::setProcesses(const QStringList& names, int now) {
    const QSignalBlocker quiet(m_process);
    if (m_process->count() != names.size()) {
        m_process->clear();
        for (const QString& name : names)
            m_process->addItem(actionText(name));
    }
    m_process->setCurrentIndex(now);
    m_process->setVisible(names.size() > 1);
}

void WatchPage::setLooks(bool looks) {
    m_looks = looks;
    tell();
}

std::chrono::milliseconds WatchPage::length() const {
    return std::chrono::seconds(m_length->currentData().toInt());
}

void WatchPage::setLength(std::chrono::milliseconds length) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(length).count();
    if (const int place = m_length->findData(static_cast<int>(seconds)); place >= 0)
        m_length->setCurrentIndex(place);
}

/// What somebody has hold of stays as it is: a menu, a drag, a field of the timeline.
bool WatchPage::isInUse() const {
    const QWidget* const focus = QApplication::focusWidget();
    const bool writes = focus && focus != &m_timeline->canvas() && m_timeline->isAncestorOf(focus);
    return writes || QApplication::activePopupWidget() || QApplication::mouseButtons() != Qt::NoButton;
}

void WatchPage::add(const TraceNewsPtr& news) {
    m_newest = news;
    if (news->shown)
        m_newestSeen = news;
    if (m_newestSeen && m_follows && m_newestSeen->shown != m_shown && !isInUse())
        show(m_newestSeen);
    if (m_follows)
        m_recorded->setOn(news->look.on);
    tell();
    emit added();
}

void WatchPage::show(const TraceNewsPtr& news) {
    m_isShowing = true;
    m_shown = news->shown;
    TimelineCanvas& canvas = m_timeline->canvas();
    const int scroll = canvas.rows().scroll();
    m_timeline->setShown(m_shown);
    canvas.showRange(news->look.seconds);
    canvas.rows().setScroll(scroll);
    m_seen = canvas.viewport().visible();
    m_judged = news->judged;
    m_headline->setShown(m_judged);
    m_verdicts->setShown(news->judged);
    m_verdicts->show();
    canvas.ghosts().setShowsWaits(news->judged == m_shown); // none while recording was off
    m_recorded->setOn(m_newest->look.on);
    if (m_middle->currentWidget() != m_timeline) {
        const bool hadFocus = m_nothing->hasFocus();
        m_middle->setCurrentWidget(m_timeline);
        setFocusProxy(m_timeline);
        if (hadFocus)
            m_timeline->setFocus(Qt::OtherFocusReason);
    }
    m_sinceShown.start();
    m_isShowing = false;
}

QString WatchPage::wordsOfLook() const {
    const recording::LastLook& look = m_newest->look;
    const bool isOff = m_program.waits ? !m_program.isRecording : !look.isOn;
    if (!m_newestSeen)
        return isOff ? tr("Recording is off; nothing is recorded yet.")
                     : tr("Nothing is recorded yet: the program has not used CUDA.");
    if (look.quiet >= kQuiet)
        return (isOff ? tr("Recording is off: nothing new for %1.")
                      : tr("Nothing new for %1: the program makes no CUDA calls that are recorded."))
            .arg(secondsText(look.quiet.count()));
    if (m_newestSeen->look.isShortened)
        return tr("The last %1 only: more happens than can be judged once a second.")
            .arg(durationText(m_newestSeen->look.seconds.length()));
    if (m_newestSeen->judged != m_newestSeen->shown)
        return tr("The last %1, judged since recording was switched on.").arg(secondsText(length().count()));
    return tr("The last %1, looked at once a second.").arg(secondsText(length().count()));
}

void WatchPage::tell() {
    m_follow->setText(m_follows ? tr("Hold still") : tr("Follow"));
    m_follow->setEnabled(m_shown != nullptr);
    if (!m_looks)
        return say(
            m_newest
                ? tr("Nobody looks at it any more; the program goes on. Space looks again, Esc goes back.")
                : QString());
    if (!m_newest)
        return say(tr("Waiting for the program..."));
    if (m_follows || !m_shown)
        return say(wordsOfLook());
    const QString held =
        tr("Held: this is %1 old. Space follows again.").arg(secondsText(m_sinceShown.elapsed()));
    say(m_newest->look.quiet >= kQuiet ? held + QLatin1Char(' ') + wordsOfLook() : held);
}

void WatchPage::say(const QString& text) {
    m_said->setText(text);
    m_nothing->setText(text);
}

QString WatchPage::said() const {
    return m_said->text();
}

void WatchPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space)
        return m_looks ? setFollows(!m_follows) : emit lookRequested();
    if (event->key() == Qt::Key_Escape)
        return emit backRequested();
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
