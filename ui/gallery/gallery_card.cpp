#include "gallery/gallery_card.h"

#include "base/call_later.h"
#include "base/plain_text.h"
#include "results/headline_line.h"
#include "results/verdict_strip.h"
#include "timeline/canvas/small_picture.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace olab::ui {

namespace {

/// The kinds a card tells first.
int rankOf(analysis::VerdictKind kind) {
    return kind == analysis::VerdictKind::Serialized   ? 0
           : kind == analysis::VerdictKind::Partial    ? 1
           : kind == analysis::VerdictKind::Stretched  ? 2
           : kind == analysis::VerdictKind::Overlapped ? 3
                                                       : 4;
}

GalleryResult resultOf(const GalleryRequest& request, const std::stop_token& stop) {
    GalleryResult made;
    made.number = request.number;
    try {
        const view::ViewData shown(recording::openRecording(fileOf(request.path), {stop, {}}));
        made.picture = pictureOf(shown, request.size, request.theme);
        if (!shown.trace().devices().empty())
            made.device = cutText(fromText(shown.trace().devices().front().name), kLongestLine);
        made.verdict = galleryVerdict(*shown.recording);
    } catch (const std::exception& error) { // of one file; the others are shown all the same
        made.verdict = sentence(error.what());
    }
    return made;
}

} // namespace

QString galleryVerdict(const recording::Recording& recording) {
    if (!recording.raceText().empty())
        return GalleryReader::tr("The pipeline raced: its data is wrong");
    if (const auto& ledger = recording.report.ledger; ledger && !ledger->headline.empty())
        return withoutAsides(firstSentence(sentence(ledger->headline)));
    auto verdicts = comparison::shownVerdicts(recording.report);
    if (verdicts.empty())
        return GalleryReader::tr("No pair of classes to judge");
    std::ranges::stable_sort(verdicts, {}, [](const analysis::Verdict* v) { return rankOf(v->kind); });
    const analysis::Verdict& worst = *verdicts.front();
    const auto same = std::ranges::count(verdicts, worst.kind, &analysis::Verdict::kind);
    QString text = pairName(recording.report, worst) + QStringLiteral(": ") + verdictOutcome(worst);
    if (same > 1)
        text += GalleryReader::tr(" (and %1 more pairs)").arg(same - 1);
    return text;
}

GalleryReader::GalleryReader(QObject* parent)
    : QObject(parent) {
    qRegisterMetaType<olab::ui::GalleryResult>();
}

void GalleryReader::ask(const GalleryRequest& request) {
    m_reader.post([this, request](const std::stop_token& stop) {
        const GalleryResult result = resultOf(request, stop);
        if (!stop.stop_requested())
            callLater(this, [this, result] { emit made(result); });
    });
}

namespace {

constexpr int kWidth = 224, kPictureHeight = 54, kCardPad = 8; // in usual type
constexpr int kLargeWidth = 376, kLargePictureHeight = 80;
constexpr int kTitleLines = 2, kVerdictLines = 2, kFootLines = 2; // the last: how the simulator agrees
constexpr int kShownLines = 2; // of a large card, whose title and verdict take one line each

int heightOf(const QFont& font, int lines) {
    return QFontMetrics(font).lineSpacing() * lines;
}

} // namespace

QStringList linesOf(const QString& text, const QFont& font, int width, int lines) {
    const QString cut = cutText(text).replace(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
    QTextLayout layout(cut, font);
    layout.beginLayout();
    QStringList found;
    const QFontMetrics metrics(font);
    while (found.size() < lines) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        const bool last = found.size() + 1 == lines;
        const QString words = last ? cut.mid(line.textStart()) : cut.mid(line.textStart(), line.textLength());
        found << metrics.elidedText(words.trimmed(), Qt::ElideRight, width);
    }
    layout.endLayout();
    return found;
}

GalleryCard::GalleryCard(CardTexts texts, QWidget* parent)
    : QAbstractButton(parent)
    , m_texts(std::move(texts)) {
    setFocusPolicy(Qt::ClickFocus); // the page lets Tab reach one of its cards; arrows reach the others
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    sayAll();
}

void GalleryCard::sayAll() {
    setAccessibleName(m_texts.title + QStringLiteral(". ") + m_texts.verdict + QStringLiteral(". ") +
                      m_texts.foot +
                      (m_texts.agreement.isEmpty() ? QString() : QStringLiteral(". ") + m_texts.agreement));
    setAccessibleDescription(isLarge() ? m_texts.shows : m_texts.help);
    RichText tip("<b>%1</b><br><br>%2<br><br>%3", {m_texts.title, m_texts.verdict, m_texts.help});
    if (!m_texts.agreementTip.isEmpty())
        tip += RichText("<br><br>%1", {m_texts.agreementTip});
    setTip(*this, tip);
    update();
}

void GalleryCard::setPicture(const QImage& picture) {
    m_picture = picture;
    update();
}

void GalleryCard::setVerdict(const QString& verdict) {
    m_texts.verdict = verdict;
    sayAll();
}

void GalleryCard::setFoot(const QString& foot) {
    m_texts.foot = foot;
    sayAll();
}

void GalleryCard::expectPicture(bool expected) {
    m_expected = expected;
    updateGeometry();
}

QSize GalleryCard::pictureSize() const {
    const ViewStyle style = ViewStyle::of(font());
    const bool isWide = isLarge() && !style.projector(); // there two cards of usual width fill a row
    return {style.scaled((isWide ? kLargeWidth : kWidth) - 2 * kCardPad),
            style.scaled(isLarge() ? kLargePictureHeight : kPictureHeight)};
}

QSize GalleryCard::sizeHint() const {
    const ViewStyle style = ViewStyle::of(font());
    const QFont bold = style.typeFont(font(), true), small = style.smallFont(font());
    const int texts =
        isLarge() ? heightOf(bold, 1) + heightOf(style.typeFont(font()), kShownLines + 1) + heightOf(small, 1)
                  : heightOf(bold, kTitleLines) + heightOf(small, kVerdictLines + kFootLines);
    return {pictureSize().width() + 2 * style.scaled(kCardPad),
            pictureSize().height() + texts + style.scaled(4 * kCardPad)};
}

void GalleryCard::changeEvent(QEvent* event) {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

void GalleryCard::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
        return emit stepRequested(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return click();
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void GalleryCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(palette());
    const ViewStyle style = ViewStyle::of(font());
    const int pad = style.scaled(kCardPad);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = underMouse() || hasFocus() || isDown();
    painter.setPen(QPen(lit ? theme.accent : theme.line, lit ? style.strong : style.line));
    painter.setBrush(isDown() ? theme.group : theme.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    const QRect picture(QPoint(pad, pad), pictureSize());
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(picture, theme.base);
    const QFont small = style.smallFont(font());
    if (hasPicture()) {
        painter.drawImage(picture, m_picture);
    } else {
        painter.setFont(small);
        painter.setPen(theme.dim);
        painter.drawText(picture, Qt::AlignCenter | Qt::TextWordWrap,
                         m_expected ? tr("...") : tr("Preset: fills the form"));
    }
    int y = picture.bottom() + pad;
    const auto write = [&](const QString& text, const QFont& type, const QColor& colour, int lines) {
        painter.setFont(type);
        painter.setPen(colour);
        const int step = QFontMetrics(type).lineSpacing();
        int at = y;
        for (const QString& line : linesOf(text, type, picture.width(), lines)) {
            painter.drawText(QRect(pad, at, picture.width(), step), Qt::AlignVCenter | Qt::TextSingleLine,
                             line);
            at += step;
        }
        y += step * lines;
    };
    write(m_texts.title, style.typeFont(font(), true), theme.text, isLarge() ? 1 : kTitleLines);
    if (isLarge()) {
        const QFont usual = style.typeFont(font());
        write(m_texts.verdict, usual, theme.accent, 1);
        write(m_texts.shows, usual, theme.text, kShownLines);
        return write(m_texts.foot, small, theme.dim, 1);
    }
    write(m_texts.verdict, small, theme.text, kVerdictLines);
    write(m_texts.foot, small, theme.dim, 1);
    write(m_texts.agreement, small, theme.dim, 1);
}

} // namespace olab::ui
