#include "lessons/length_bars.h"

#include <olab/ui/theme.h>

#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kAir = 6;

} // namespace

LengthBars::LengthBars(std::vector<LessonLength> lengths, Ns whole, QWidget* parent)
    : QWidget(parent)
    , m_lengths(std::move(lengths))
    , m_whole(whole) {
    for (const LessonLength& one : m_lengths)
        m_whole = std::max({m_whole, whole > 0 ? Ns{1} : one.length, Ns{1}});
    setObjectName(QStringLiteral("lessonLengths"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    QStringList said;
    for (const LessonLength& one : m_lengths)
        said << (one.name.isEmpty() ? one.value : QStringLiteral("%1: %2").arg(one.name, one.value));
    setAccessibleName(tr("Bars on one axis"));
    setAccessibleDescription(said.join(QStringLiteral(", ")));
}

int LengthBars::rowHeight() const {
    return fontMetrics().height() + kAir;
}

/// As wide as any of these texts may be: the row of this step is bold.
int LengthBars::widest(QString LessonLength::*text) const {
    QFont bold = font();
    bold.setBold(true);
    int wide = 0;
    for (const LessonLength& one : m_lengths)
        wide = std::max(wide, QFontMetrics(bold).horizontalAdvance(one.*text));
    return wide + kAir;
}

int LengthBars::nameWidth() const {
    return widest(&LessonLength::name);
}

QSize LengthBars::sizeHint() const {
    return {nameWidth() + 120, rowHeight() * static_cast<int>(m_lengths.size())};
}

QSize LengthBars::minimumSizeHint() const {
    return {nameWidth() + 40, sizeHint().height()};
}

QRect LengthBars::barRect(std::size_t number) const {
    const int room = std::max(width() - nameWidth() - widest(&LessonLength::value), 10);
    const double share = static_cast<double>(m_lengths[number].length) / static_cast<double>(m_whole);
    return {nameWidth(), static_cast<int>(number) * rowHeight() + 2,
            std::max(static_cast<int>(room * share), 2), rowHeight() - 4};
}

void LengthBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    for (std::size_t i = 0; i < m_lengths.size(); ++i) {
        const QRect bar = barRect(i);
        QFont font = this->font();
        font.setBold(m_lengths[i].now);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(QRect(0, bar.y(), nameWidth(), bar.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         m_lengths[i].name);
        painter.fillRect(bar, m_lengths[i].now ? theme.accent : theme.dim);
        painter.drawText(QRect(bar.right() + kAir, bar.y(), width(), bar.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, m_lengths[i].value);
    }
}

} // namespace olab::ui
