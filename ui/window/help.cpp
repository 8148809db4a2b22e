#include "window/help.h"

#include "base/page_parts.h"

#include <olab/analysis/cause_table.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QIcon>
#include <QLineEdit>
#include <QPainter>
#include <QPixmap>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

struct Meaning {
    const char *word, *meaning;
};

constexpr Meaning kNumbers[] = {
    {QT_TR_NOOP("back-to-back time"),
     QT_TR_NOOP("How long the run would take with one operation after the other.")},
    {QT_TR_NOOP("communication hidden"),
     QT_TR_NOOP(
         "The share of the time of NCCL, RCCL and peer copies in which another kernel of the same GPU ran.")},
    {QT_TR_NOOP("copies hidden"), QT_TR_NOOP("The share of the time of copies in which a kernel ran.")},
    {QT_TR_NOOP("costs"), QT_TR_NOOP("What fixing a cause saves: by so much the run would become shorter.")},
    {QT_TR_NOOP("critical path"),
     QT_TR_NOOP("The chain of operations, each of which must wait for the one before, that takes longest.")},
    {QT_TR_NOOP("GPU idle"),
     QT_TR_NOOP(
         "The share of the time from the first work of a GPU to its last in which no engine was busy.")},
    {QT_TR_NOOP("ideal"), QT_TR_NOOP("How long the same work in the same streams on the same engines takes "
                                     "when no cause holds it back.")},
    {QT_TR_NOOP("kernels run"),
     QT_TR_NOOP("The share of the time from the first work of a GPU to its last in which a kernel ran.")},
    {QT_TR_NOOP("run time"),
     QT_TR_NOOP(
         "The measured window of a run of the lab; else from the first call that led to work of the GPU "
         "to the end of the last work.")},
    {QT_TR_NOOP("solo duration"), QT_TR_NOOP("How long an operation takes when nothing else runs; where that "
                                             "was not measured, the shortest of its kind.")},
    {QT_TR_NOOP("tool effect"), QT_TR_NOOP("How much longer a run takes because it is recorded.")},
    {QT_TR_NOOP("unexplained"),
     QT_TR_NOOP("The difference between the run and its model; in traces of other tools also waits that no "
                "record explains.")},
    {QT_TR_NOOP("waited"),
     QT_TR_NOOP(
         "The sum over operations, at once or not: more than it costs where other work goes on meanwhile.")},
};

constexpr Meaning kTimeline[] = {
    {QT_TR_NOOP("communication"),
     QT_TR_NOOP(
         "A kernel of NCCL or RCCL: it moves data between GPUs and computes nothing for the program.")},
    {QT_TR_NOOP("D2D"), QT_TR_NOOP("A copy within the memory of one GPU.")},
    {QT_TR_NOOP("D2H"), QT_TR_NOOP("A copy from the GPU to the host.")},
    {QT_TR_NOOP("engine"),
     QT_TR_NOOP("A part of the GPU that works by itself: compute, or a copy engine for one direction.")},
    {QT_TR_NOOP("event"), QT_TR_NOOP("A mark in a stream that other streams, or the host, can wait for.")},
    {QT_TR_NOOP("gap"), QT_TR_NOOP("A time in which an engine was idle.")},
    {QT_TR_NOOP("H2D"), QT_TR_NOOP("A copy from the host to the GPU.")},
    {QT_TR_NOOP("host callback"),
     QT_TR_NOOP("A function of the host in a stream: what is behind it waits until it returns.")},
    {QT_TR_NOOP("ideal run"),
     QT_TR_NOOP("The same work without any of the causes, drawn thin below the bars (Shift+G).")},
    {QT_TR_NOOP("iteration"),
     QT_TR_NOOP("A part of the run that repeats; T in the minimap is a typical one, W the worst.")},
    {QT_TR_NOOP("kernel"), QT_TR_NOOP("A function that runs on the compute engine.")},
    {QT_TR_NOOP("memset"), QT_TR_NOOP("Fills memory of the GPU; it runs on the SMs, as kernels do.")},
    {QT_TR_NOOP("NULL stream"),
     QT_TR_NOOP("The default stream: work in it waits for all blocking streams, and they wait for it.")},
    {QT_TR_NOOP("P2P"), QT_TR_NOOP("A copy from one GPU to another.")},
    {QT_TR_NOOP("pageable"),
     QT_TR_NOOP("Ordinary host memory, which on most systems no copy engine can read or write.")},
    {QT_TR_NOOP("pinned"), QT_TR_NOOP("Page-locked host memory, which copy engines read and write.")},
    {QT_TR_NOOP("SM"), QT_TR_NOOP("A multiprocessor of the GPU: kernels and memsets run on them.")},
    {QT_TR_NOOP("stream"), QT_TR_NOOP("A queue of operations that start in their order.")},
    {QT_TR_NOOP("wait"),
     QT_TR_NOOP("The time from when an operation could have begun to when it began, drawn in the look of its "
                "cause (G).")},
};

constexpr Meaning kPages[] = {
    {QT_TR_NOOP("claim"),
     QT_TR_NOOP("A sentence of NVIDIA's documentation that a measurement confirms or refutes.")},
    {QT_TR_NOOP("experiment"), QT_TR_NOOP("The value of every option of a pipeline that the lab can run.")},
    {QT_TR_NOOP("imported"), QT_TR_NOOP("A recording of another tool.")},
    {QT_TR_NOOP("preset"), QT_TR_NOOP("A ready-made experiment.")},
    {QT_TR_NOOP("proof"),
     QT_TR_NOOP(
         "Interleaved pairs of runs with and without a change: what it really saves, with an interval.")},
    {QT_TR_NOOP("recorded"), QT_TR_NOOP("A run on a GPU, read from a file.")},
    {QT_TR_NOOP("simulated"), QT_TR_NOOP("A run of the simulator, not of a GPU.")},
    {QT_TR_NOOP("sweep"), QT_TR_NOOP("One run for each value of an option, or of two.")},
};

constexpr Meaning kVerdicts[] = {
    {QT_TR_NOOP("apart"),
     QT_TR_NOOP("They did not run at the same time, and an ideal run would not let them either.")},
    {QT_TR_NOOP("inconclusive"), QT_TR_NOOP("The recording does not allow a verdict, and says why.")},
    {QT_TR_NOOP("overlapped"), QT_TR_NOOP("They ran at the same time for most of what is possible.")},
    {QT_TR_NOOP("partial"), QT_TR_NOOP("They ran at the same time for a part of what is possible.")},
    {QT_TR_NOOP("SERIALIZED"),
     QT_TR_NOOP("One waited for the other although both could have run at the same time.")},
    {QT_TR_NOOP("stretched"),
     QT_TR_NOOP("They ran at the same time, and took so much longer by it that little is won.")},
};

void add(std::vector<Term>& terms, const QString& group, std::span<const Meaning> meanings) {
    for (const auto& [word, meaning] : meanings)
        terms.push_back({tr(word), tr(meaning), group});
}

/// Those that an account can have.
void addCauses(std::vector<Term>& terms) {
    const auto first = static_cast<std::ptrdiff_t>(terms.size());
    for (const analysis::CauseRow& row : analysis::causeTable())
        if (!row.because.empty())
            terms.push_back({fromText(row.label), sentence(row.because) + QLatin1Char('.'), tr("Causes")});
    std::sort(terms.begin() + first, terms.end(),
              [](const Term& a, const Term& b) { return a.word.compare(b.word, Qt::CaseInsensitive) < 0; });
}

} // namespace

std::vector<Term> glossary() {
    std::vector<Term> terms;
    add(terms, tr("Numbers"), kNumbers);
    addCauses(terms);
    add(terms, tr("Verdicts on two kinds of work"), kVerdicts);
    add(terms, tr("Timeline"), kTimeline);
    add(terms, tr("Runs and pages"), kPages);
    return terms;
}

void showGlossary(QWidget* parent) {
    std::vector<ReferenceRow> rows;
    QString group;
    for (const Term& term : glossary()) {
        rows.push_back({term.word, term.meaning, term.group == group ? QString() : term.group});
        group = term.group;
    }
    showReference(parent, {QStringLiteral("glossary"), tr("Glossary"), tr("Search the glossary"),
                           tr("Search: ideal, pinned, SERIALIZED"), std::move(rows)});
}

namespace {

constexpr KeyHelp kKeys[] = {
    {"F5", QT_TR_NOOP("run the experiment"), QT_TR_NOOP("Run")},
    {"Ctrl+E", QT_TR_NOOP("recreate the measured range, or all that is shown, as an experiment, and run it")},
    {"Ctrl+T", QT_TR_NOOP("run a program of yours and record it")},
    {QT_TR_NOOP("Space, Esc there"),
     QT_TR_NOOP("follow what it does now, or hold what is seen; stop looking, go back")},
    {QT_TR_NOOP("Ctrl+Return, Ctrl+Enter"),
     QT_TR_NOOP("find the fix: predict every change of an option, measure the best")},
    {"Esc", QT_TR_NOOP("cancel what runs, close the message above the view, bring the panels back")},
    {QT_TR_NOOP("Ctrl+Z in the form"), QT_TR_NOOP("undo settings: what the form had before its last change")},
    {QT_TR_NOOP("L, Space, K"),
     QT_TR_NOOP("live: the settings of the form run over and over; pause or go on, keep the newest pass")},
    {QT_TR_NOOP("W, S or Ctrl+wheel, pinch"), QT_TR_NOOP("zoom in and out at the pointer"),
     QT_TR_NOOP("Move in the timeline")},
    {QT_TR_NOOP("A, D or arrows, Shift+wheel, drag"), QT_TR_NOOP("move in time")},
    {QT_TR_NOOP("wheel, up, down"), QT_TR_NOOP("scroll the lanes")},
    {"F", QT_TR_NOOP("fit the selected operation, or everything")},
    {QT_TR_NOOP("Home or Ctrl+0"), QT_TR_NOOP("show the whole run")},
    {"Ctrl++, Ctrl+-", QT_TR_NOOP("zoom in and out in the middle")},
    {QT_TR_NOOP("drag on the ruler"), QT_TR_NOOP("zoom to the range; a double click shows the whole run")},
    {QT_TR_NOOP("drag on the minimap"),
     QT_TR_NOOP("inside the frame move what is seen, outside see the range that is drawn")},
    {QT_TR_NOOP("T, W in the minimap"),
     QT_TR_NOOP("the typical and the worst repeating iteration; a click shows it")},
    {QT_TR_NOOP("Alt+Left, Alt+Right"), QT_TR_NOOP("back and forth through the views seen")},
    {QT_TR_NOOP("Ctrl+Z in the timeline"),
     QT_TR_NOOP("take back the last change of its rows, else of its view")},
    {QT_TR_NOOP(". and ,"), QT_TR_NOOP("next and previous operation of the row")},
    {QT_TR_NOOP("[ and ]"),
     QT_TR_NOOP("previous and next gap of the row: what the host did while the engine was idle")},
    {QT_TR_NOOP("J and K"), QT_TR_NOOP("follow the arrows: to what it waited for, to what waited for it")},
    {QT_TR_NOOP("click, double click"), QT_TR_NOOP("select an operation or a gap, zoom to it"),
     QT_TR_NOOP("Select, search, measure")},
    {QT_TR_NOOP("right click, Menu"), QT_TR_NOOP("what can be done with the operation, the gap or the row")},
    {QT_TR_NOOP("/ or Ctrl+F"), QT_TR_NOOP("search: spin, kernel > 1ms, h2d stream 14, = 5us, #17")},
    {QT_TR_NOOP("N and Shift+N, Enter and Shift+Enter"), QT_TR_NOOP("next and previous match")},
    {QT_TR_NOOP("Shift+drag"),
     QT_TR_NOOP("measure a range: the rulers snap to edges, with Alt held they do not")},
    {"M", QT_TR_NOOP("measure what is selected, or all that is seen; again: stop (or Esc)")},
    {QT_TR_NOOP("Shift+left, right"),
     QT_TR_NOOP("move the second ruler to the next edge of the row; with Ctrl the first one")},
    {"Ctrl+C, T", QT_TR_NOOP("copy what is measured or selected as text, as a table")},
    {"Y", QT_TR_NOOP("copy a link to what is shown and selected, for an HTML page of this recording")},
    {QT_TR_NOOP("double click in the matrix, Enter"),
     QT_TR_NOOP("the worst place of two classes: the longest wait, or alone")},
    {"G, Shift+G", QT_TR_NOOP("show or hide what each operation waited for, the ideal run under the bars")},
    {QT_TR_NOOP("click a cause in the bar, Enter there"),
     QT_TR_NOOP("emphasise what waited for it; again, or Esc: everything")},
    {"Shift+L", QT_TR_NOOP("show or hide the arrows of the selected operation")},
    {QT_TR_NOOP("Ctrl+up, Ctrl+down"), QT_TR_NOOP("the row that keys work on; a click chooses it too"),
     QT_TR_NOOP("Rows")},
    {"P, H, Shift+H", QT_TR_NOOP("pin the row at the top or let it go, hide it, show all rows")},
    {QT_TR_NOOP("C, click a heading"),
     QT_TR_NOOP("fold or unfold the row's group; copy throughput in GB/s is folded at first")},
    {QT_TR_NOOP("drag a name, Ctrl+Shift+up, down"),
     QT_TR_NOOP("move the row in its group; a group's name moves the group")},
    {QT_TR_NOOP("drag the edge of the names"),
     QT_TR_NOOP("make the names wider or narrower; a double click: as wide as usual")},
    {QT_TR_NOOP("drag the foot of a name, Alt+up, down, 0"),
     QT_TR_NOOP("make the row taller, lower, as tall as usual")},
    {QT_TR_NOOP("O, click the triangle"), QT_TR_NOOP("open an engine by channel, or close it")},
    {"Shift+R", QT_TR_NOOP("reset rows: all as they are by default")},
    {"B",
     QT_TR_NOOP(
         "set a bookmark at what is measured or selected, or in the middle of the view; edit its note"),
     QT_TR_NOOP("Bookmarks")},
    {"Ctrl+B, Ctrl+Shift+B", QT_TR_NOOP("next and previous bookmark")},
    {QT_TR_NOOP("F2, Del, Ctrl+Z"),
     QT_TR_NOOP("edit the bookmark's note, remove the bookmark, bring it back")},
    {QT_TR_NOOP("Ctrl+click in the run list"), QT_TR_NOOP("compare two runs"), QT_TR_NOOP("Runs and files")},
    {"Ctrl+D", QT_TR_NOOP("the selected runs, or those compared last, at full size on one axis; N and "
                          "Shift+N: next and previous difference")},
    {QT_TR_NOOP("F2, Del, Ctrl+Z in the run list"),
     QT_TR_NOOP("rename a run, remove it from the list, bring it back")},
    {QT_TR_NOOP("Menu key or right click there"),
     QT_TR_NOOP("all that can be done with a run: note, compare, save")},
    {QT_TR_NOOP("Ctrl+R, Alt+PgUp, Alt+PgDown"),
     QT_TR_NOOP("the table of recordings of a folder, the one above or below in it; Enter there opens one")},
    {"Ctrl+O, Ctrl+S", QT_TR_NOOP("open a recording, save it with its bookmarks, name and note")},
    {"Ctrl+Shift+S, Ctrl+Alt+S", QT_TR_NOOP("export a picture of the view, of the whole run")},
    {"Ctrl+Shift+C", QT_TR_NOOP("copy a picture of the view")},
    {"Ctrl+G", QT_TR_NOOP("the gallery of recordings and presets; Esc goes back"), QT_TR_NOOP("Learn")},
    {"Ctrl+L, Ctrl+Shift+L", QT_TR_NOOP("the lessons; teacher's mode, for a class before a projector")},
    {"Ctrl+K", QT_TR_NOOP("the claims: what is expected, what was measured; / searches, Esc goes back")},
    {QT_TR_NOOP("PgDown, PgUp"), QT_TR_NOOP("in a lesson: read on, run, see the answer, next step; back")},
    {"Ctrl+1, Ctrl+2, Ctrl+3", QT_TR_NOOP("show or hide the form, inspector and runs, the pages"),
     QT_TR_NOOP("Window")},
    {"F11", QT_TR_NOOP("the timeline alone; F11 or Esc brings all else back")},
    {"Shift+F11", QT_TR_NOOP("full screen, and back")},
    {"Ctrl+Shift+P", QT_TR_NOOP("projector: type, lines and contrast that are read across a room")},
    {"Ctrl+Q", QT_TR_NOOP("quit")},
    {QT_TR_NOOP("Tab, Shift+Tab, F6"), QT_TR_NOOP("the next and previous control, the timeline")},
    {QT_TR_NOOP("? or F1"), QT_TR_NOOP("this list, wherever the focus is; in a field a ? is text")},
};

} // namespace

std::span<const KeyHelp> keyList() {
    return kKeys;
}

namespace {

/// The rows that contain these words, below their groups.
RichText rowsWith(const std::vector<ReferenceRow>& all, const QString& words) {
    RichText rows, group;
    for (const auto& [what, meaning, title] : all) {
        if (!title.isEmpty())
            group = RichText("<tr><td colspan='2' style='padding:10px 0 2px 0'><b>%1</b></td></tr>", {title});
        if (!(what + QLatin1Char(' ') + meaning).contains(words, Qt::CaseInsensitive))
            continue;
        rows += std::exchange(group, {});
        rows += RichText("<tr><td style='padding:2px 18px 2px 12px'><b>%1</b></td><td>%2</td></tr>",
                         {what, meaning});
    }
    return RichText::wrap("<table>%1</table>", rows);
}

} // namespace

void showReference(QWidget* parent, const Reference& reference) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(reference.id);
    setTitle(*dialog, reference.title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QLineEdit* search = searchField(reference.searchName, reference.searchHint);
    auto* list = new QTextBrowser;
    list->setAccessibleName(reference.title);
    setRichText(*list, rowsWith(reference.rows, {}));
    QObject::connect(search, &QLineEdit::textChanged, list,
                     [list, rows = reference.rows](const QString& words) {
                         setRichText(*list, rowsWith(rows, words.trimmed()));
                     });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(search);
    column->addWidget(list);
    column->addWidget(buttons);
    const QSize room = parent->window()->size() - QSize(60, 60); // it scrolls: the list outgrows low windows
    dialog->resize(QSize(ViewStyle::of(parent->font()).scaled(760), ViewStyle::of(parent->font()).scaled(820))
                       .boundedTo(room));
    dialog->open();
}

void showKeys(QWidget* parent) {
    std::vector<ReferenceRow> rows;
    for (const auto& [key, what, title] : kKeys)
        rows.push_back({tr(key), tr(what), title ? tr(title) : QString()});
    showReference(parent, {QStringLiteral("keys"), tr("Keys"), tr("Search the keys"),
                           tr("Search: zoom, bookmark, Ctrl+D"), std::move(rows)});
}

void showAbout(QWidget* parent) {
    showRichBox(
        parent, tr("About Overlap Lab"),
        RichText("<h3>Overlap Lab %1</h3><p>%2</p><p>%3<br>%4<br>%5</p>",
                 {QApplication::applicationVersion(),
                  tr("Did my copies, memsets and kernels really run at the same time, and if not, why?"),
                  tr("The sources are under the Apache License 2.0."),
                  tr("This window uses Qt %1 (LGPL-3) and Qt Charts (GPL-3), so the window as distributed is "
                     "under the GPL-3.")
                      .arg(QString::fromLatin1(qVersion())),
                  tr("It contains no CUDA: experiments on a GPU run in the program olab, which contains no "
                     "Qt.")}));
}

QIcon programIcon() {
    QIcon icon;
    for (const int size : {16, 32, 64, 128}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(size / 64.0, size / 64.0);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(QStringLiteral("#1B2430")));
        painter.drawRoundedRect(QRectF(2, 2, 60, 60), 12, 12);
        const std::pair<QRectF, const char*> bars[] = {
            {{8, 14, 30, 10}, "#59AA88"}, {{20, 28, 36, 10}, "#6C7BEA"}, {{32, 42, 24, 10}, "#E0663A"}};
        for (const auto& [bar, colour] : bars) {
            painter.setBrush(QColor(QLatin1String(colour)));
            painter.drawRoundedRect(bar, 3, 3);
        }
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace olab::ui
