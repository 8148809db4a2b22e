#include "tracing/trace_dialog.h"

#include "base/page_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>

namespace olab::ui {

namespace {

constexpr int kMostToldLines = 2'000; // of what a program says, the last ones
constexpr int kClockMs = 1'000;

QString outcomeOf(int exitCode, const QStringList& files) {
    if (exitCode < 0)
        return TraceDialog::tr("Nothing was started.");
    const QString end = TraceDialog::tr("The program ended with exit code %1.").arg(exitCode);
    const QString recording =
        files.isEmpty()     ? TraceDialog::tr("There is no recording: what it says above tells why.")
        : files.size() == 1 ? TraceDialog::tr("Its recording is %1.").arg(shownText(files.front()))
                            : TraceDialog::tr("%1 processes were recorded; the first recording is %2.")
                                  .arg(files.size())
                                  .arg(shownText(files.front()));
    return end + QLatin1Char(' ') + recording;
}

} // namespace

TraceDialog::TraceDialog(const QString& olab, QWidget* parent)
    : QDialog(parent)
    , m_run(olab)
    , m_output(new QPlainTextEdit)
    , m_said(wrappingLabel({})) {
    setObjectName(QStringLiteral("traceDialog"));
    setTitle(*this, tr("Trace a program"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(wrappingLabel(
        tr("Records what CUDA does in any program. It needs no change and is not compiled again; its "
           "last seconds are seen while it runs, and its recording opens here when it has ended.")));
    auto* grid = new QGridLayout;
    buildFields(*grid);
    column->addLayout(grid);
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(kMostToldLines);
    m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_output->setAccessibleName(tr("What the program says"));
    m_output->setPlaceholderText(tr("What the program says stands here."));
    column->addWidget(m_output, 1);
    column->addWidget(m_said);
    auto* buttons = new QDialogButtonBox;
    m_start = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
    m_start->setDefault(true);
    m_record = buttons->addButton(tr("Record"), QDialogButtonBox::ActionRole);
    m_record->setAutoDefault(false);
    m_stop = buttons->addButton(tr("Stop the program"), QDialogButtonBox::ActionRole);
    m_stop->setAutoDefault(false);
    QPushButton* close = buttons->addButton(QDialogButtonBox::Close);
    close->setAutoDefault(false);
    setTip(*close, tr("The program goes on, and its recording opens when it ends"));
    column->addWidget(buttons);
    connect(m_start, &QPushButton::clicked, this, &TraceDialog::start);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        stop();
        refresh();
    });
    connect(m_record, &QPushButton::clicked, this, [this] { record(!m_run.isRecording()); });
    connect(&m_run, &TracedRun::recordingChanged, this, &TraceDialog::refresh);
    connect(close, &QPushButton::clicked, this, &QDialog::hide);
    connect(&m_run, &TracedRun::told, this, &TraceDialog::append);
    connect(&m_run, &TracedRun::ended, this, &TraceDialog::end);
    m_clock.setInterval(kClockMs);
    connect(&m_clock, &QTimer::timeout, this, &TraceDialog::refresh);
    const ViewStyle style = ViewStyle::of(parent->font());
    resize(QSize(style.scaled(640), style.scaled(520)).boundedTo(parent->window()->size() - QSize(40, 60)));
    refresh();
}

QLineEdit* TraceDialog::addField(QGridLayout& grid, const QString& name, const QString& hint,
                                 const QString& tip) {
    const int row = grid.rowCount();
    auto* field = new QLineEdit;
    field->setPlaceholderText(hint);
    field->setAccessibleName(name);
    setTip(*field, tip);
    QLabel* label = makeLabel(name);
    label->setBuddy(field);
    grid.addWidget(label, row, 0);
    grid.addWidget(field, row, 1);
    connect(field, &QLineEdit::textChanged, this, &TraceDialog::refresh);
    return field;
}

void TraceDialog::addBrowse(QGridLayout& grid, QLineEdit& field, bool isFolder) {
    auto* button = new QPushButton(tr("Browse..."));
    button->setAutoDefault(false);
    button->setAccessibleName(isFolder ? tr("Browse for the folder") : tr("Browse for the program"));
    connect(button, &QPushButton::clicked, this, [this, &field, isFolder] { browse(field, isFolder); });
    grid.addWidget(button, grid.rowCount() - 1, 2);
}

void TraceDialog::buildFields(QGridLayout& grid) {
    m_program = addField(grid, tr("Program"), QStringLiteral("./app, python3"),
                         tr("A file, or a name as in a terminal"));
    addBrowse(grid, *m_program, false);
    m_arguments = addField(grid, tr("Arguments"), QStringLiteral("train.py --epochs 1"),
                           tr("As in a terminal: quotes hold words together; nothing else is special"));
    m_folder = addField(grid, tr("Folder"), shownText(QDir::currentPath()),
                        tr("Where the program runs, and where its recording goes"));
    addBrowse(grid, *m_folder, true);
    addWhen(grid);
    m_delay = addField(grid, tr("Start after"), QStringLiteral("0s"),
                       tr("Recording begins this long after the program: 5s, 300ms"));
    m_duration = addField(grid, tr("Record for"), tr("until it ends"),
                          tr("Then the program runs on without being recorded: 10s"));
    m_last = addField(grid, tr("Keep the last"), tr("all of it"),
                      tr("Of a long run only the end is kept, this long at least: 10s"));
    m_options = addField(grid, tr("More options"), QStringLiteral("--children --capture-range cuda"),
                         tr("Of the command line: olab trace --help lists them"));
}

void TraceDialog::addWhen(QGridLayout& grid) {
    const int row = grid.rowCount();
    m_when = new QComboBox;
    m_when->addItems({tr("from the start"), tr("when Record is pressed")});
    m_when->setAccessibleName(tr("Recorded"));
    setTip(*m_when, tr("A program that waits to be recorded runs as fast as without Overlap Lab until then"));
    QLabel* label = makeLabel(tr("Recorded"));
    label->setBuddy(m_when);
    grid.addWidget(label, row, 0);
    grid.addWidget(m_when, row, 1);
    connect(m_when, &QComboBox::currentIndexChanged, this, &TraceDialog::refresh);
}

void TraceDialog::browse(QLineEdit& field, bool isFolder) {
    const QString from = field.text().isEmpty() ? m_folder->text() : field.text();
    const QString chosen = isFolder ? QFileDialog::getExistingDirectory(this, tr("Folder"), from)
                                    : QFileDialog::getOpenFileName(this, tr("Program"), from);
    if (!chosen.isEmpty())
        field.setText(chosen);
}

TraceWish TraceDialog::wish() const {
    return {m_program->text().trimmed(), m_arguments->text(),
            m_folder->text().trimmed(),  m_delay->text(),
            m_duration->text(),          m_last->text(),
            m_options->text(),           m_when->currentIndex() == 1};
}

void TraceDialog::setWish(const TraceWish& wish) {
    m_program->setText(wish.program);
    m_arguments->setText(wish.arguments);
    m_folder->setText(wish.folder);
    m_delay->setText(wish.delay);
    m_duration->setText(wish.duration);
    m_last->setText(wish.last);
    m_options->setText(wish.options);
    m_when->setCurrentIndex(wish.whenTold ? 1 : 0);
}

void TraceDialog::start() {
    if (isRunning() || m_program->text().trimmed().isEmpty())
        return;
    m_output->clear();
    m_outcome.clear();
    m_run.start(wish());
    emit wished();
    if (isRunning())
        m_clock.start();
    refresh();
}

/// What is read stays where it is; who looks at the end follows it.
void TraceDialog::append(const QString& text) {
    QScrollBar& bar = *m_output->verticalScrollBar();
    const bool follows = bar.value() == bar.maximum();
    QTextCursor cursor(m_output->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
    if (follows)
        bar.setValue(bar.maximum());
}

void TraceDialog::end(int exitCode) {
    m_clock.stop();
    const QStringList files = exitCode >= 0 ? m_run.files() : QStringList();
    m_outcome = outcomeOf(exitCode, files);
    refresh();
    if (files.isEmpty())
        emit endedWithout();
    else
        emit recorded(files);
}

bool TraceDialog::waits() const {
    return m_when->currentIndex() == 1;
}

QString TraceDialog::runningText() const {
    qint64 bytes = 0;
    for (const QString& file : m_run.files())
        bytes += QFileInfo(file).size();
    const QString runs = tr("Running for %1 s; recorded: %2.")
                             .arg(m_run.elapsedMs() / 1000)
                             .arg(bytes > 0 ? sizeText(bytes) : tr("nothing yet"));
    return m_run.isStopping() ? runs + QLatin1Char(' ') +
                                    tr("Asked to stop. Stop again ends it at once; what is recorded stays.")
                              : runs;
}

QString TraceDialog::said() const {
    if (isRunning())
        return runningText();
    return m_outcome.isEmpty() && m_program->text().trimmed().isEmpty() ? tr("Name a program.") : m_outcome;
}

void TraceDialog::refresh() {
    const bool runs = isRunning();
    m_start->setEnabled(!runs && !m_program->text().trimmed().isEmpty());
    m_delay->setEnabled(!waits());
    m_when->setEnabled(!runs);
    m_record->setVisible(waits());
    m_record->setEnabled(runs);
    m_record->setText(m_run.isRecording() ? tr("Stop recording") : tr("Record"));
    m_stop->setEnabled(runs);
    m_stop->setText(runs && m_run.isStopping() ? tr("Stop at once") : tr("Stop the program"));
    m_said->setText(said());
    emit changed();
}

} // namespace olab::ui
