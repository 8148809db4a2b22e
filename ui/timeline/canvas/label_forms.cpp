#include "timeline/canvas/label_forms.h"

#include <olab/trace/visible_text.h>
#include <olab/ui/format.h>

#include <QRegularExpression>

namespace olab::ui {

namespace {

constexpr qsizetype kLongestLabel = 96; // letters: no bar on a screen shows more

/// What the names of one library's functions begin with.
QString withoutLibrary(const QString& name) {
    static const QRegularExpression api(QStringLiteral("^(cuda|cupti|cu|nvtx)(?=[A-Z])")),
        ours(QStringLiteral("^olab_+(?=.)"));
    return QString(name).remove(api).remove(ours);
}

/// Of a call: the version of its entry point.
QString withoutVersion(const QString& name) {
    static const QRegularExpression version(QStringLiteral("(_v\\d+|_pt[sd][sz])+$"));
    return QString(name).remove(version);
}

/// Of a kernel: that it is one.
QString withoutKind(const QString& name) {
    static const QRegularExpression kind(QStringLiteral("(?<=.)(_+kernel|Kernel)$"));
    return QString(name).remove(kind);
}

QString shortWords(QString name) {
    return name.replace(QLatin1String("Synchronize"), QLatin1String("Sync"))
        .replace(QLatin1String(" synchronize"), QLatin1String(" sync"));
}

void addForm(QStringList& forms, const QString& text) {
    QString form = fromText(visibleText(text.left(2 * kLongestLabel).toStdString()));
    if (form.size() > kLongestLabel)
        form = form.left(kLongestLabel - 1) + QChar(0x2026);
    if (!form.isEmpty() && (forms.isEmpty() || form.size() < forms.back().size()))
        forms << form;
}

} // namespace

QString tellingPart(const QString& name) {
    const QString bare = name.section(QStringLiteral("::"), -1); // without namespaces
    const QString own = withoutLibrary(bare);
    const bool isCall = own != bare && own.at(0).isUpper();
    const QString part = isCall ? shortWords(withoutVersion(own)) : shortWords(withoutKind(own));
    return part.isEmpty() ? name : part;
}

QStringList labelForms(const Trace& trace, ActivityIndex index) {
    const ActivityClass cls = trace.cls(index);
    const QString label = activityLabel(trace, index);
    QStringList forms;
    addForm(forms, fullLabel(trace, index));
    addForm(forms, label);
    if (isDeviceClass(cls) && cls != ActivityClass::Kernel) // "H2D 16 MiB"
        addForm(forms, label.section(QLatin1Char(' '), 0, 0));
    else {
        addForm(forms, withoutLibrary(label));
        addForm(forms, tellingPart(label));
    }
    if (forms.isEmpty())
        forms << fromText(classLabel(cls));
    return forms;
}

} // namespace olab::ui
