#include "timeline/op_menu.h"

#include "shell/plain_text.h"
#include "timeline/place.h"

#include <olab/trace/kernel_name.h>
#include <olab/ui/format.h>

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

namespace olab {

namespace {

constexpr qsizetype kLongest = 40; // of a name in the menu

QString tr(const char* text) {
    return QCoreApplication::translate("OpMenu", text);
}

/// As an entry shows it: an "&" of a name is no mnemonic, and templates may be long.
QString inMenu(const QString& text) {
    return actionText(text, kLongest);
}

QString nameOf(const Trace& trace, ActivityIndex i) {
    return QStringLiteral("%1 #%2").arg(inMenu(activityLabel(trace, i)), numberText(trace, i));
}

void goTo(TimelineCanvas& canvas, ActivityIndex to) {
    canvas.select(to);
    canvas.bringIntoView(to);
}

/// From an op to the call that issued it; from a call to what it issued.
void addPartner(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const Shown& shown = *canvas.shown();
    const auto add = [&](const QString& text, ActivityIndex to) {
        menu.addAction(text.arg(nameOf(shown.trace(), to)), &canvas, [&canvas, to] { goTo(canvas, to); });
    };
    const auto issued = shown.facts.issuedBy(op);
    if (!issued.empty())
        add(issued.size() == 1 ? tr("Go to what it issued: %1")
                               : tr("Go to the first of %1 that it issued: %2").arg(countText(issued.size())),
            issued.front());
    const ActivityIndex call = shown.facts.apiOf(op);
    if (call != kNoActivity && call != op)
        add(tr("Go to its API call: %1"), call);
}

void addCulprit(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const Place place = placeOf(*canvas.shown(), op);
    QString text = tr("Nothing is known to have held it");
    if (place.culprit != kNoActivity)
        text = place.op == op
                   ? tr("Show what held it: %1").arg(nameOf(canvas.shown()->trace(), place.culprit))
                   : tr("Show what it held: %1").arg(nameOf(canvas.shown()->trace(), place.op));
    menu.addAction(text, &canvas, [&canvas, place] { canvas.showPlace(place); })
        ->setEnabled(place.culprit != kNoActivity);
}

void addCommon(QMenu& menu, TimelineCanvas& canvas) {
    menu.addAction(tr("Measure it\tM"), &canvas, [&canvas] {
        if (canvas.selected())
            canvas.measure(canvas.shown()->trace().time(*canvas.selected()));
        else if (canvas.gap())
            canvas.measure(canvas.gap()->time);
    });
    menu.addAction(tr("Bookmark it\tB"), &canvas, &TimelineCanvas::bookmarkRequested);
    const auto copy = [&canvas](bool table) {
        QGuiApplication::clipboard()->setText(canvas.pickedText(table));
    };
    menu.addAction(tr("Copy its fields\tCtrl+C"), &canvas, [copy] { copy(false); });
    menu.addAction(tr("Copy its fields as a table\tT"), &canvas, [copy] { copy(true); });
    menu.addSeparator();
}

/// Else Qt makes one of the action's own text, in which a name may look like markup.
void giveTips(QMenu& menu) {
    for (QAction* action : menu.actions())
        setTip(*action, action->text());
}

void addTitle(QMenu& menu, const QString& text) {
    menu.addAction(text)->setEnabled(false);
    menu.addSeparator();
}

} // namespace

void addOpActions(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const Trace& trace = canvas.shown()->trace();
    addTitle(menu, nameOf(trace, op));
    menu.addAction(tr("Zoom to it\tF"), &canvas, [&canvas, op] { canvas.zoomTo(op); });
    addCulprit(menu, canvas, op);
    addPartner(menu, canvas, op);
    menu.addAction(tr("Back along its arrows\tJ"), &canvas, [&canvas] { canvas.follow(-1); });
    menu.addAction(tr("Forth along its arrows\tK"), &canvas, [&canvas] { canvas.follow(+1); });
    menu.addSeparator();
    const QString name = fromText(demangled(trace.text(trace[op].name)));
    menu.addAction(tr("Select all like it"), &canvas, [&canvas, op] { canvas.selectAlike(op); });
    menu.addAction(
            tr("Search for its name\t/"), &canvas,
            [&canvas, name] { emit canvas.searchForRequested(QLatin1Char('"') + name + QLatin1Char('"')); })
        ->setEnabled(!name.isEmpty() && !name.contains(QLatin1Char('"')));
    menu.addSeparator();
    addCommon(menu, canvas);
    giveTips(menu);
}

void addGapActions(QMenu& menu, TimelineCanvas& canvas) {
    addTitle(menu, tr("Idle for %1").arg(durationText(canvas.gap()->time.length())));
    menu.addAction(tr("Zoom to it\tF"), &canvas, [&canvas] { canvas.fitSelection(); });
    addCommon(menu, canvas);
    giveTips(menu);
}

} // namespace olab
