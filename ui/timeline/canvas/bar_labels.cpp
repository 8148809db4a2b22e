#include "timeline/canvas/bar_labels.h"

#include <olab/trace/visible_text.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QFontMetrics>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

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

namespace {

constexpr std::size_t kMostImages = 8192;
constexpr QChar kCut(0x2026);

} // namespace

std::size_t BarLabels::Hash::operator()(const Key& key) const {
    const std::uint64_t mixed =
        (static_cast<std::uint64_t>(key.bytes) * 31 + key.name) * 16 + static_cast<std::uint64_t>(key.cls);
    return static_cast<std::size_t>(mixed * 0x9e3779b97f4a7c15u >> 16);
}

void BarLabels::setFont(const QFont& font) {
    if (m_lineHeight > 0 && font == m_font)
        return;
    m_font = font;
    m_lineHeight = QFontMetrics(font).height();
    forget();
}

void BarLabels::forget() {
    m_labels.clear();
    m_rates.clear();
    m_images = 0;
}

BarLabels::Label BarLabels::makeLabel(const Trace& trace, ActivityIndex index) const {
    const QFontMetrics metrics(m_font);
    Label label;
    for (const QString& form : labelForms(trace, index))
        label.forms.push_back({form, metrics.horizontalAdvance(form)});
    int width = metrics.horizontalAdvance(kCut);
    label.widths.push_back(width);
    for (const QChar letter : label.forms.back().text)
        label.widths.push_back(width += metrics.horizontalAdvance(letter));
    return label;
}

std::pair<qsizetype, QString> BarLabels::Label::fitting(int width) const {
    for (std::size_t i = 0; i < forms.size(); ++i)
        if (forms[i].width <= width)
            return {-1 - static_cast<qsizetype>(i), forms[i].text};
    const qsizetype letters = std::ranges::upper_bound(widths, width) - widths.begin() - 1;
    return letters < kTellingLetters ? std::pair<qsizetype, QString>{}
                                     : std::pair{letters, forms.back().text.left(letters) + kCut};
}

QImage BarLabels::draw(const QString& text, const QColor& fill) const {
    QImage image(QFontMetrics(m_font).horizontalAdvance(text), m_lineHeight, QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.fill(fill);
    QPainter painter(&image);
    painter.setFont(m_font);
    painter.setPen(inkOn(fill));
    painter.drawText(image.rect(), Qt::AlignVCenter | Qt::AlignLeft, text);
    return image;
}

const QImage& BarLabels::fitting(const Trace& trace, ActivityIndex index, int width, const QColor& fill) {
    static const QImage kNone;
    if (m_images > kMostImages || m_labels.size() > kMostImages)
        forget();
    const Activity activity = trace[index];
    auto [at, isNew] = m_labels.try_emplace(Key{activity.cls, activity.name.value, activity.bytes});
    Label& label = at->second;
    if (isNew)
        label = makeLabel(trace, index);
    const auto [key, text] = label.fitting(width);
    if (text.size() < 2)
        return kNone;
    auto [image, isNewImage] = label.images.try_emplace({fill.rgb(), key});
    if (isNewImage) {
        image->second = draw(text, fill);
        ++m_images;
    }
    return image->second;
}

const QImage& BarLabels::rate(const Trace& trace, ActivityIndex index, int width, const QColor& fill) {
    static const QImage kNone;
    if (m_rates.size() > kMostImages)
        m_rates.clear();
    const Activity activity = trace[index];
    const QString text = rateText(activity.bytes, activity.duration());
    if (text.isEmpty())
        return kNone;
    auto [at, isNew] = m_rates.try_emplace({fill.rgb(), text});
    if (isNew)
        at->second = draw(text, fill);
    return at->second.width() <= width ? at->second : kNone;
}

} // namespace olab::ui
