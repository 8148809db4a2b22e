#include "pictures/picture_flow.h"

#include "base/plain_text.h"
#include "pictures/figure_shapes.h"
#include "pictures/picture_text.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kSwatchWidth = 22, kSwatchHeight = 12, kSwatchAir = 5, kEntryHeight = 18, kEntryGap = 16;

const PictureRequest& checked(const PictureRequest& request) {
    if (request.width < kMinPictureWidth || request.width > kMaxPictureWidth)
        throw Error(ErrorKind::Usage, "bad-width",
                    tr("A picture cannot be %1 pixels wide.").arg(request.width).toStdString(),
                    tr("Allowed: %1 to %2.").arg(kMinPictureWidth).arg(kMaxPictureWidth).toStdString());
    return request;
}

} // namespace

ViewStyle pictureStyle(const PictureRequest& request) {
    constexpr int kWideType = ViewStyle::kUsualType * 3 / 2; // the same share of 1920 as the usual of 1280
    const int usual = request.shape == PictureShape::Wide ? kWideType : ViewStyle::kUsualType;
    return ViewStyle::ofType(request.projector ? ViewStyle::kProjectorType : usual);
}

QFont pictureFont() {
    return QFont(QStringLiteral("DejaVu Sans"));
}

double PictureFlow::scaleOf(const PictureRequest& request) {
    return request.shape == PictureShape::Wide ? double(request.width) / kWideWidth : 1;
}

PictureFlow::PictureFlow(const PictureRequest& request)
    : m_request(checked(request))
    , m_width(isWide() ? kWideWidth : request.width)
    , m_theme(Theme::of(request.dark, request.projector))
    , m_style(pictureStyle(request)) {}

void PictureFlow::paintFlow(QPainter& painter, QSize size) {
    m_painter = &painter;
    painter.setFont(pictureFont());
    painter.fillRect(QRect(QPoint(0, 0), size), m_theme.window);
    flow();
    m_painter = nullptr;
}

QFont PictureFlow::sized(int px, bool bold) const {
    return ViewStyle::sized(pictureFont(),
                            std::max(m_style.scaled(px), m_style.projector() ? m_style.small : 0), bold);
}

int PictureFlow::heightOf(const QString& text, const QFont& font, int width, int mostLines) const {
    return static_cast<int>(wrappedText(text, font, width, mostLines).size()) * QFontMetrics(font).height() +
           2;
}

void PictureFlow::paragraph(const QString& text, const QFont& font, const QColor& colour, int x, int width,
                            int mostLines) {
    const QFontMetrics metrics(font);
    if (m_painter) {
        m_painter->setFont(font);
        m_painter->setPen(colour);
    }
    for (const QString& line : wrappedText(text, font, width, mostLines)) {
        if (m_painter)
            m_painter->drawText(x, m_y + metrics.ascent(), line);
        m_y += metrics.height();
    }
    m_y += 2;
}

void PictureFlow::warning(const QString& text, int mostLines) {
    const QFont font = sized(13, true);
    const int wide = room() - 2 * kGap;
    const int height = heightOf(text, font, wide, mostLines) + 2 * kGap;
    if (m_painter)
        m_painter->fillRect(kMargin, m_y, room(), height, m_theme.error);
    const int next = m_y + height + kGap;
    m_y += kGap;
    paragraph(text, font, m_theme.errorText, kMargin + kGap, wide, mostLines);
    m_y = next;
}

/// In strong colours, not those of a verdict: it says of the whole picture what it is.
void PictureFlow::badge(const QRect& area, const QString& text, const QFont& font) {
    if (!m_painter || text.isEmpty())
        return;
    const QColor fill = m_theme.colour(ActivityClass::Memset);
    m_painter->fillRect(area, fill);
    m_painter->setFont(font);
    m_painter->setPen(inkOn(fill));
    m_painter->drawText(area, Qt::AlignCenter, text);
}

void PictureFlow::framed(const LaneFigure& lanes) {
    const int w = room(), h = lanes.height(), line = m_style.line;
    if (m_painter) {
        lanes.paint(*m_painter, {kMargin, m_y});
        for (const QRect& edge : {QRect(kMargin, m_y, w, line), QRect(kMargin, m_y + h - line, w, line),
                                  QRect(kMargin, m_y, line, h), QRect(kMargin + w - line, m_y, line, h)})
            m_painter->fillRect(edge, m_theme.line);
    }
    m_y += h + kGap + 2;
}

void PictureFlow::entry(int& x, const QString& label, const Swatch& swatch) {
    const QFont font = sized(11);
    const int side = m_style.scaled(kSwatchWidth);
    const int wide = side + kSwatchAir + QFontMetrics(font).horizontalAdvance(label);
    if (x > kMargin && x + wide > m_width - kMargin) {
        x = kMargin;
        m_y += m_style.scaled(kEntryHeight);
    }
    if (m_painter) {
        swatch(*m_painter, QRect(x, m_y + 2, side, m_style.scaled(kSwatchHeight)));
        m_painter->setFont(font);
        m_painter->setPen(m_theme.text);
        m_painter->drawText(QRect(x + side + kSwatchAir, m_y, wide, m_style.scaled(kEntryHeight - 2)),
                            Qt::AlignVCenter, label);
    }
    x += wide + kEntryGap;
}

void PictureFlow::classEntries(int& x, const std::vector<ActivityClass>& classes) {
    for (const ActivityClass cls : classes)
        entry(x, fromText(view::lookLabel(cls)),
              [&](QPainter& painter, const QRect& area) { paintSwatch(painter, area, cls, m_theme); });
}

void PictureFlow::colourEntries(int& x, const view::Colouring& colouring) {
    for (const view::Colouring::Entry& each : colouring.entries())
        entry(x, printable(entryText(colouring, each)), [&](QPainter& painter, const QRect& area) {
            painter.fillRect(area, colourOf(each.colour, m_theme));
        });
}

void PictureFlow::waitEntries(int& x, const std::vector<analysis::LossCause>& causes) {
    for (const analysis::LossCause cause : causes)
        entry(x, cause == causes.front() ? tr("waits: %1").arg(causeTitle(cause)) : causeTitle(cause),
              [&](QPainter& painter, const QRect& area) { paintWaitSwatch(painter, area, cause, m_theme); });
}

void PictureFlow::maker() {
    paragraph(tr("Overlap Lab %1").arg(QStringLiteral(OLAB_VERSION)), sized(10), m_theme.dim, kMargin, room(),
              1);
}

} // namespace olab::ui
