#include "timeline/label_forms.h"

#include <olab/ui/format.h>

#include <QRegularExpression>

namespace olab {

namespace {

constexpr qsizetype kLongest = 96; // letters: no bar on a screen shows more

/// What the names of one library's functions begin with.
QString withoutLibrary(const QString& name) {
    static const QRegularExpression api(QStringLiteral("^(cuda|cupti|cu|nvtx)(?=[A-Z])")),
        ours(QStringLiteral("^olab_+(?=.)"));
    return QString(name).remove(api).remove(ours);
}

/// Versions of an entry point, and what says only that a kernel is one.
QString withoutEnding(const QString& name) {
    static const QRegularExpression version(QStringLiteral("(_v\\d+|_pt[sd][sz])+$")),
        kind(QStringLiteral("(?<=.)(_+kernel|Kernel)$"), QRegularExpression::CaseInsensitiveOption);
    return QString(name).remove(version).remove(kind);
}

QString shortWords(QString name) {
    return name.replace(QLatin1String("Synchronize"), QLatin1String("Sync"))
        .replace(QLatin1String(" synchronize"), QLatin1String(" sync"));
}

void addForm(QStringList& forms, const QString& text) {
    const QString form = text.left(kLongest);
    if (!form.isEmpty() && (forms.isEmpty() || form.size() < forms.back().size()))
        forms << form;
}

} // namespace

QString tellingPart(const QString& name) {
    const QString bare = name.section(QStringLiteral("::"), -1); // without namespaces
    const QString part = shortWords(withoutEnding(withoutLibrary(bare)));
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

} // namespace olab
