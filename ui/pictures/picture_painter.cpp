#include "pictures/picture_painter.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace olab {

namespace {

constexpr int kMargin = 16, kGap = 6, kMaxHeight = 16'000;
constexpr int kTitleHeight = 30, kPillPad = 7, kSwatchWidth = 22, kSwatchHeight = 12, kLegendGap = 16;
constexpr int kMostLines = 6; // of one sentence; names may be of any length

QStringList wrapped(const QString& text, const QFont& font, int width, int mostLines) {
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const QString here = text.mid(line.textStart(), line.textLength()).trimmed();
        if (lines.size() == mostLines) { // there is more than is shown: say so
            lines.back() = QFontMetrics(font).elidedText(lines.back() + here, Qt::ElideRight, width);
            break;
        }
        lines << here;
    }
    layout.endLayout();
    return lines;
}

const PictureRequest& checked(const PictureRequest& request) {
    if (request.width < kMinPictureWidth || request.width > kMaxPictureWidth)
        throw Error(ErrorKind::Usage, "bad-width",
                    "A picture cannot be " + std::to_string(request.width) + " pixels wide.",
                    "Allowed: " + std::to_string(kMinPictureWidth) + " to " +
                        std::to_string(kMaxPictureWidth) + ".");
    return request;
}

} // namespace

ViewStyle pictureStyle(const PictureRequest& request) {
    return ViewStyle::ofType(request.projector ? ViewStyle::kProjectorType : ViewStyle::kUsualType);
}

QFont pictureFont() {
    return QFont(QStringLiteral("DejaVu Sans"));
}

PicturePainter::PicturePainter(const Shown& shown, const PictureRequest& request)
    : m_request(checked(request))
    , m_theme(Theme::of(request.dark, request.projector))
    , m_style(pictureStyle(request))
    , m_font(pictureFont())
    , m_lanes(shown, request, request.width - 2 * kMargin, m_font) {
    if (m_request.range)
        m_request.range = m_lanes.visible(); // what the words say is what is drawn
    m_text = pictureText(shown, m_request);
    flow();
    m_size = {request.width, m_y};
    if (m_y > kMaxHeight)
        throw Error(ErrorKind::Usage, "too-many-lanes",
                    "The lanes of this recording do not fit on a picture of " + std::to_string(kMaxHeight) +
                        " pixels.",
                    "Fold the groups of streams or threads in the window and export the picture there.");
}

QFont PicturePainter::sized(int px, bool bold) const {
    return ViewStyle::sized(m_font, std::max(m_style.scaled(px), m_style.projector() ? m_style.small : 0),
                            bold);
}

int PicturePainter::room() const {
    return m_request.width - 2 * kMargin;
}

void PicturePainter::paint(QPainter& painter) {
    m_painter = &painter;
    painter.setFont(m_font);
    painter.fillRect(QRect(QPoint(0, 0), m_size), m_theme.window);
    flow();
    m_painter = nullptr;
}

void PicturePainter::flow() {
    m_y = kMargin;
    title();
    race();
    paragraph(m_text.origin, sized(12), m_theme.text, kMargin, room(), 3);
    for (const QString& caution : m_text.cautions)
        paragraph(caution, sized(11), m_theme.dim, kMargin, room(), 3);
    m_y += kGap;
    verdicts();
    paragraph(m_text.settings, sized(12), m_theme.text, kMargin, room(), kMostLines);
    paragraph(m_text.part, sized(11), m_theme.dim, kMargin, room(), 2);
    m_y += kGap;
    lanes();
    marks();
    legend();
    m_y += kMargin;
}

void PicturePainter::title() {
    const QFont badgeFont = sized(15, true), titleFont = sized(20, true);
    const int badgeWidth = m_text.badge.isEmpty()
                               ? 0
                               : QFontMetrics(badgeFont).horizontalAdvance(m_text.badge) + m_style.scaled(28);
    const QRect line(kMargin, m_y, room(), m_style.scaled(kTitleHeight));
    if (m_painter) {
        m_painter->setFont(titleFont);
        m_painter->setPen(m_theme.text);
        m_painter->drawText(
            line, Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(titleFont).elidedText(m_text.title, Qt::ElideMiddle, room() - badgeWidth - kGap));
        if (badgeWidth > 0)
            badge(QRect(line.x() + line.width() - badgeWidth, line.y(), badgeWidth, line.height()),
                  badgeFont);
    }
    m_y += line.height() + kGap;
}

/// In strong colours, not those of a verdict: it says of the whole picture what it is.
void PicturePainter::badge(const QRect& area, const QFont& font) {
    const QColor fill = m_theme.colour(ActivityClass::Memset);
    m_painter->fillRect(area, fill);
    m_painter->setFont(font);
    m_painter->setPen(inkOn(fill));
    m_painter->drawText(area, Qt::AlignCenter, m_text.badge);
}

void PicturePainter::race() {
    if (m_text.race.isEmpty())
        return;
    const QFont font = sized(13, true);
    const auto lines = wrapped(m_text.race, font, room() - 2 * kGap, kMostLines).size();
    const int height = static_cast<int>(lines) * QFontMetrics(font).height() + 2 * kGap;
    if (m_painter)
        m_painter->fillRect(kMargin, m_y, room(), height, m_theme.error);
    const int next = m_y + height + kGap;
    m_y += kGap;
    paragraph(m_text.race, font, m_theme.errorText, kMargin + kGap, room() - 2 * kGap, kMostLines);
    m_y = next;
}

void PicturePainter::paragraph(const QString& text, const QFont& font, const QColor& colour, int x, int width,
                               int mostLines) {
    const QFontMetrics metrics(font);
    if (m_painter) {
        m_painter->setFont(font);
        m_painter->setPen(colour);
    }
    for (const QString& line : wrapped(text, font, width, mostLines)) {
        if (m_painter)
            m_painter->drawText(x, m_y + metrics.ascent(), line);
        m_y += metrics.height();
    }
    m_y += 2;
}

int PicturePainter::outcomeWidth() const {
    int width = 0;
    for (const PictureText::Line& line : m_text.lines)
        width = std::max(width, QFontMetrics(sized(12, true)).horizontalAdvance(line.outcome));
    return std::min(width + 2 * kPillPad + 2, room() / 2);
}

void PicturePainter::verdicts() {
    const QFont bold = sized(12, true), plain = sized(11);
    const int pill = outcomeWidth(), x = kMargin + pill + 10;
    const int pillHeight = QFontMetrics(bold).height() + 6;
    for (const PictureText::Line& line : m_text.lines) {
        const int top = m_y;
        if (m_painter) {
            const QRect area(kMargin, top, pill, pillHeight);
            m_painter->fillRect(area, m_theme.colour(line.kind));
            m_painter->setFont(bold);
            m_painter->setPen(m_theme.text);
            m_painter->drawText(
                area.adjusted(kPillPad, 0, -kPillPad, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                QFontMetrics(bold).elidedText(line.outcome, Qt::ElideRight, pill - 2 * kPillPad));
        }
        m_y += 3;
        paragraph(line.text, plain, m_theme.text, x, m_request.width - kMargin - x, kMostLines);
        m_y = std::max(m_y + 2, top + pillHeight + 3);
    }
    m_y += kGap;
}

void PicturePainter::lanes() {
    if (m_painter) {
        m_lanes.paint(*m_painter, {kMargin, m_y});
        const int w = room(), h = m_lanes.height(), line = m_style.line;
        for (const QRect& edge : {QRect(kMargin, m_y, w, line), QRect(kMargin, m_y + h - line, w, line),
                                  QRect(kMargin, m_y, line, h), QRect(kMargin + w - line, m_y, line, h)})
            m_painter->fillRect(edge, m_theme.line);
    }
    m_y += m_lanes.height() + kGap + 2;
}

/// The notes: beside its flag in the lanes a long one is cut.
void PicturePainter::marks() {
    for (const PictureText::Mark& mark : m_text.marks)
        paragraph(QStringLiteral("%1  %2").arg(mark.number).arg(mark.text), sized(11), m_theme.text, kMargin,
                  room(), kMostLines);
    if (m_text.moreMarks > 0)
        paragraph(QStringLiteral("and %1 more bookmarks").arg(m_text.moreMarks), sized(11), m_theme.dim,
                  kMargin, room(), 1);
    m_y += m_text.marks.empty() ? 0 : kGap;
}

void PicturePainter::legend() {
    int x = kMargin;
    for (const ActivityClass cls : m_text.classes)
        entry(x, QString::fromUtf8(classLabel(cls).data(), static_cast<qsizetype>(classLabel(cls).size())),
              [&](const QRect& area) { paintSwatch(*m_painter, area, cls, m_theme); });
    const char* const atOnce[] = {"1 engine", "2 engines at once", "3 or more"};
    for (std::size_t level = 0; level < m_theme.ribbon.size(); ++level)
        entry(x, QString::fromLatin1(atOnce[level]),
              [&](const QRect& area) { m_painter->fillRect(area, m_theme.ribbon[level]); });
    m_y += m_style.scaled(18) + kGap;
    paragraph(columnNote(), sized(10), m_theme.dim, kMargin, room(), 3);
    paragraph(QStringLiteral("Overlap Lab %1").arg(QStringLiteral(OLAB_VERSION)), sized(10), m_theme.dim,
              kMargin, room(), 1);
}

void PicturePainter::entry(int& x, const QString& label, const std::function<void(const QRect&)>& swatch) {
    const QFont font = sized(11);
    const int side = m_style.scaled(kSwatchWidth);
    const int wide = side + 5 + QFontMetrics(font).horizontalAdvance(label);
    if (x > kMargin && x + wide > m_request.width - kMargin) {
        x = kMargin;
        m_y += m_style.scaled(18);
    }
    if (m_painter) {
        swatch(QRect(x, m_y + 2, side, m_style.scaled(kSwatchHeight)));
        m_painter->setFont(font);
        m_painter->setPen(m_theme.text);
        m_painter->drawText(QRect(x + side + 5, m_y, wide, m_style.scaled(16)), Qt::AlignVCenter, label);
    }
    x += wide + kLegendGap;
}

} // namespace olab
