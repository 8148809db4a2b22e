#include "window/help.h"

#include "base/plain_text.h"

#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace olab::ui {

namespace {

constexpr KeyHelp kKeys[] = {
    {"F5", "run the experiment"},
    {"Ctrl+E", "recreate the measured range, or all that is shown, as an experiment, and run it"},
    {"Ctrl+Return, Ctrl+Enter", "find the fix: predict every change of an option, measure the best"},
    {"Esc", "cancel what runs"},
    {"W, S or Ctrl+wheel, pinch", "zoom in and out at the pointer"},
    {"A, D or arrows, Shift+wheel, drag", "move in time"},
    {"wheel, up, down", "scroll the lanes"},
    {"F", "fit the selected operation, or everything"},
    {"Home or Ctrl+0", "show the whole run"},
    {"Ctrl++, Ctrl+-", "zoom in and out in the middle"},
    {". and ,", "next and previous operation of the row"},
    {"[ and ]", "previous and next gap of the row: what the host did while the engine was idle"},
    {"J and K", "follow the arrows: to what it waited for, to what waited for it"},
    {"G, Shift+G", "show or hide what each operation waited for, the ideal run under the bars"},
    {"L", "show or hide the arrows of the selected operation"},
    {"Ctrl+up, Ctrl+down", "the row that keys work on; a click chooses it too"},
    {"P, H, Shift+H", "pin the row at the top or let it go, hide it, show all rows"},
    {"C, click a heading", "fold or unfold the row's group; copy throughput in GB/s is folded at first"},
    {"drag a name, Ctrl+Shift+up, down", "move the row in its group; a group's name moves the group"},
    {"drag the foot of a name, Alt+up, down, 0", "make the row taller, lower, as tall as usual"},
    {"O, click the triangle", "open an engine by channel, or close it"},
    {"Shift+R", "reset rows: all as they are by default"},
    {"click, double click", "select an operation or a gap, zoom to it"},
    {"right click, Menu", "what can be done with the operation, the gap or the row"},
    {"drag on the ruler", "zoom to the range; a double click shows the whole run"},
    {"drag on the minimap", "inside the frame move what is seen, outside see the range that is drawn"},
    {"double click in the matrix, Enter", "the worst place of two classes: the longest wait, or alone"},
    {"/ or Ctrl+F", "search: spin, kernel > 1ms, h2d stream 14, = 5us, #17"},
    {"N and Shift+N, Enter and Shift+Enter", "next and previous match"},
    {"Shift+drag", "measure a range: the rulers snap to edges, with Alt held they do not"},
    {"M", "measure what is selected, or all that is seen; again: stop (or Esc)"},
    {"Shift+left, right", "move the second ruler to the next edge of the row; with Ctrl the first one"},
    {"Ctrl+C, T", "copy what is measured or selected as text, as a table"},
    {"B", "set a bookmark at what is measured or selected, or in the middle of the view; edit its note"},
    {"Ctrl+B, Ctrl+Shift+B", "next and previous bookmark"},
    {"F2, Del, Ctrl+Z", "edit the bookmark's note, remove the bookmark, bring it back"},
    {"Alt+Left, Alt+Right", "back and forth through the views seen"},
    {"Ctrl+click in the run list", "compare two runs"},
    {"F2, Del, Ctrl+Z in the run list", "rename a run, remove it from the list, bring it back"},
    {"Menu key or right click there", "all that can be done with a run: note, compare, save"},
    {"Ctrl+Z in the form", "undo settings: what the form had before its last change"},
    {"Ctrl+G", "the gallery of recordings and presets; Esc goes back"},
    {"Ctrl+L, Ctrl+Shift+L", "the lessons; teacher's mode, for a class before a projector"},
    {"Ctrl+K", "the claims: what is documented, what was measured; / searches, Esc goes back"},
    {"PgDown, PgUp", "in a lesson: read on, run, see the answer, next step; back"},
    {"Ctrl+O, Ctrl+S", "open a recording, save it with its bookmarks, name and note"},
    {"Ctrl+Shift+S, Ctrl+Alt+S", "export a picture of the view, of the whole run"},
    {"Ctrl+Shift+C", "copy a picture of the view"},
    {"Ctrl+1, Ctrl+2, Ctrl+3", "show or hide the form, inspector and runs, the pages"},
    {"Ctrl+Shift+P", "projector: type, lines and contrast that are read across a room"},
    {"Ctrl+Q", "quit"},
    {"Tab, Shift+Tab, F6", "the next and previous control, the timeline"},
    {"? or F1", "this list, wherever the focus is; in a field a ? is text"},
};

} // namespace

std::span<const KeyHelp> keyList() {
    return kKeys;
}

void showKeys(QWidget* parent) {
    RichText rows;
    for (const auto& [key, what] : kKeys)
        rows += RichText("<tr><td style='padding:2px 18px 2px 0'><b>%1</b></td><td>%2</td></tr>",
                         {QLatin1String(key), QObject::tr(what)});
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("keys"));
    setTitle(*dialog, QObject::tr("Keys"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* list = new QTextBrowser;
    list->setAccessibleName(QObject::tr("Keys"));
    setRichText(*list, RichText::wrap("<table>%1</table>", rows));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(list);
    column->addWidget(buttons);
    const QSize room = parent->window()->size() - QSize(60, 60); // it scrolls: the list outgrows low windows
    dialog->resize(QSize(ViewStyle::of(parent->font()).scaled(760), ViewStyle::of(parent->font()).scaled(820))
                       .boundedTo(room));
    dialog->open();
}

void showAbout(QWidget* parent) {
    showRichBox(
        parent, QObject::tr("About Overlap Lab"),
        RichText("<h3>Overlap Lab %1</h3>"
                 "<p>Did my copies, memsets and kernels really run at the same time, and if not, why?</p>"
                 "<p>The sources are under the Apache License 2.0.<br>"
                 "This window uses Qt %2 (LGPL-3) and Qt Charts (GPL-3), so the window as distributed is "
                 "under the GPL-3.<br>"
                 "It contains no CUDA: experiments on a GPU run in the program <code>olab</code>, which "
                 "contains no Qt.</p>",
                 {QApplication::applicationVersion(), QString::fromLatin1(qVersion())}));
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
