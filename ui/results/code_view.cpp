#include "results/code_view.h"

#include "base/look_style.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QFontDatabase>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>
#include <optional>

namespace olab::ui {

namespace {

struct WordColour {
    const char *light, *dark;
};
constexpr std::array<WordColour, kCodeWords> kWordColours{{
    {"#1B4F9C", "#8DBBFA"}, // keyword
    {"#0B5C45", "#8AD9B8"}, // number
    {"#7A3E00", "#EBC08C"}, // string
    {"#5E2A96", "#CDB2FA"}, // cuda
    {"#6B3A4A", "#E0B0C0"}, // directive
    {"#4A5565", "#B4BECC"}, // comment
}};

struct MarkLook {
    const char *light, *dark;
    char16_t sign;
};
constexpr std::array<MarkLook, kLineMarks> kMarks{{
    {"", "", u' '},
    {"#FFF0C7", "#4A3D17", u'•'}, // option
    {"#D6E4FA", "#24406B", u'▸'}, // selected
    {"#D6EFDD", "#1F4A33", u'+'}, // added
    {"#FBD9D3", "#5E2A24", u'−'}, // removed
}};

const QRegularExpression& words() {
    static const QRegularExpression pattern(QStringLiteral(
        R"((?<comment>//.*$)|(?<string>"(?:[^"\\]|\\.)*")|(?<directive>^\s*#\w+|<[a-zA-Z_.]+>(?=\s*$)|\\$))"
        R"(|(?<cuda>\b(?:cuda\w+|cu[A-Z]\w+|CU\w+|PFN_\w+|__\w+__|__\w+|threadIdx|blockIdx|blockDim|gridDim|CHECK|DRIVER)\b|<<<|>>>))"
        R"(|(?<keyword>\b(?:auto|bool|break|char|const|constexpr|const_cast|do|double|else|exit|false|float|for|if|int|long|nullptr|reinterpret_cast|return|size_t|static|static_cast|struct|template|this|true|typename|unsigned|using|void|volatile|while)\b))"
        R"(|(?<number>\b(?:0x[0-9a-fA-F]+|[0-9][0-9.]*(?:e-?[0-9]+)?)[a-z]*\b))"));
    return pattern;
}

constexpr const char* kGroups[] = {"keyword", "number", "string", "cuda", "directive", "comment"};
static_assert(std::size(kGroups) == kCodeWords);

} // namespace

QColor codeColour(const Theme& theme, CodeWord word) {
    const WordColour& row = kWordColours[static_cast<std::size_t>(word)];
    return QColor(QLatin1String(theme.dark ? row.dark : row.light));
}

QColor markColour(const Theme& theme, LineMark mark) {
    const MarkLook& row = kMarks[static_cast<std::size_t>(mark)];
    return mark == LineMark::None ? theme.base : QColor(QLatin1String(theme.dark ? row.dark : row.light));
}

QChar markSign(LineMark mark) {
    return {kMarks[static_cast<std::size_t>(mark)].sign};
}

CodeColours::CodeColours(QTextDocument* document)
    : QSyntaxHighlighter(document)
    , m_theme(&Theme::light()) {}

void CodeColours::setTheme(const Theme& theme) {
    if (m_theme == &theme)
        return;
    m_theme = &theme;
    rehighlight();
}

void CodeColours::highlightBlock(const QString& text) {
    for (auto found = words().globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        for (std::size_t word = 0; word < kCodeWords; ++word)
            if (const qsizetype at = match.capturedStart(QLatin1String(kGroups[word])); at >= 0)
                setFormat(static_cast<int>(at), static_cast<int>(match.capturedLength()),
                          codeColour(*m_theme, static_cast<CodeWord>(word)));
    }
}

class CodeView::Gutter final : public QWidget {
public:
    explicit Gutter(CodeView& view)
        : QWidget(&view)
        , m_view(view) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_view.paintGutter(*event); }

private:
    CodeView& m_view;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_colours(new CodeColours(document()))
    , m_gutter(new Gutter(*this)) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setAccessibleName(tr("CUDA code"));
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        if (scrolled != 0)
            m_gutter->scroll(0, scrolled);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeView::cursorMoved);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeGutter);
    new LookWatch(*this, [this] { applyLook(); });
    applyLook();
}

void CodeView::setLines(std::vector<code::DiffLine> lines) {
    const int read = verticalScrollBar()->value();
    m_lines = std::move(lines);
    m_numbers.clear();
    QStringList text;
    int number = 0;
    for (const code::DiffLine& line : m_lines) {
        m_numbers.push_back(line.change == code::CodeChange::Removed ? 0 : ++number);
        text << fromText(line.line.text);
    }
    m_marks.assign(m_lines.size(), LineMark::None);
    setPlainText(text.join(QLatin1Char('\n')));
    verticalScrollBar()->setValue(read);
    applyMarks();
}

void CodeView::setMarks(std::vector<LineMark> marks, bool bringIntoView) {
    m_marks = std::move(marks);
    m_marks.resize(m_lines.size(), LineMark::None);
    applyMarks();
    if (bringIntoView)
        showMarked();
}

/// Of the marked lines the first that executes something, else the first that an option made.
void CodeView::showMarked() {
    const auto weight = [this](std::size_t line) {
        const code::CodeLine& code = m_lines[line].line;
        return code.ops != 0 ? 2 : code.options.empty() ? 0 : 1;
    };
    std::optional<std::size_t> best;
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        if (markOf(line) != LineMark::None && (!best || weight(line) > weight(*best)))
            best = line;
    if (best)
        showLine(*best);
}

LineMark CodeView::markOf(std::size_t line) const {
    const code::CodeChange change = m_lines[line].change;
    const LineMark mark = line < m_marks.size() ? m_marks[line] : LineMark::None;
    if (mark == LineMark::Selected || change == code::CodeChange::Kept)
        return mark;
    return change == code::CodeChange::Added ? LineMark::Added : LineMark::Removed;
}

/// With a few lines above it, unless it is seen already.
void CodeView::showLine(std::size_t line) {
    constexpr int kAbove = 3;
    const int at = static_cast<int>(line), first = verticalScrollBar()->value();
    const int seen = viewport()->height() / std::max(fontMetrics().height(), 1);
    if (at < first || at >= first + seen)
        verticalScrollBar()->setValue(at - kAbove);
}

void CodeView::applyMarks() {
    const Theme& theme = Theme::of(palette());
    QList<QTextEdit::ExtraSelection> stripes;
    if (hasFocus()) // under the marks: a thin cursor alone is not found
        addStripe(stripes, currentLine(), theme.raised);
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        if (const LineMark mark = markOf(line); mark != LineMark::None)
            addStripe(stripes, static_cast<int>(line), markColour(theme, mark));
    setExtraSelections(stripes);
    m_gutter->update();
}

void CodeView::addStripe(QList<QTextEdit::ExtraSelection>& stripes, int line, const QColor& ground) const {
    QTextEdit::ExtraSelection stripe;
    stripe.cursor = QTextCursor(document()->findBlockByNumber(line));
    stripe.format.setBackground(ground);
    stripe.format.setProperty(QTextFormat::FullWidthSelection, true);
    stripes << stripe;
}

void CodeView::cursorMoved() {
    if (!hasFocus())
        return;
    applyMarks();
    emit lineRead(currentLine());
}

void CodeView::focusInEvent(QFocusEvent* event) {
    QPlainTextEdit::focusInEvent(event);
    cursorMoved();
}

void CodeView::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    applyMarks();
}

/// Letters of one width, as large as the others.
void CodeView::applyLook() {
    const int size = ViewStyle::of(parentWidget() ? parentWidget()->font() : QFont()).type;
    const QFont fixed = ViewStyle::sized(QFontDatabase::systemFont(QFontDatabase::FixedFont), size);
    if (font() != fixed)
        setFont(fixed);
    m_colours->setTheme(Theme::of(palette()));
    placeGutter();
    applyMarks();
}

void CodeView::placeGutter() {
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeGutter();
}

void CodeView::paintGutter(QPaintEvent& event) {
    const Theme& theme = Theme::of(palette());
    QPainter painter(m_gutter);
    painter.fillRect(event.rect(), theme.raised);
    painter.setFont(font());
    const int sign = fontMetrics().horizontalAdvance(QStringLiteral("+ "));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        const auto line = static_cast<std::size_t>(block.blockNumber());
        if (box.top() > event.rect().bottom() || line >= m_lines.size())
            break;
        const QRect row(0, static_cast<int>(box.top()), m_gutter->width(), fontMetrics().height());
        const LineMark mark = markOf(line);
        if (mark != LineMark::None)
            painter.fillRect(row, markColour(theme, mark));
        const bool isRead = hasFocus() && block.blockNumber() == currentLine();
        painter.setPen(mark == LineMark::None && !isRead ? theme.dim : theme.text);
        if (m_numbers[line] > 0)
            painter.drawText(row.adjusted(0, 0, -sign - 4, 0), Qt::AlignRight,
                             QString::number(m_numbers[line]));
        painter.drawText(row.adjusted(0, 0, -4, 0), Qt::AlignRight, QString(markSign(mark)));
    }
}

/// Not when text was selected.
void CodeView::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection())
        emit lineChosen(cursorForPosition(event->pos()).blockNumber());
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        return QPlainTextEdit::keyPressEvent(event);
    emit lineChosen(currentLine());
    emit lineEntered(currentLine());
}

void CodeView::goTo(int line) {
    setTextCursor(QTextCursor(document()->findBlockByNumber(line)));
}

} // namespace olab::ui
