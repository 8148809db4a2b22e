#include "pictures/wrapped_text.h"

#include <QFontMetrics>
#include <QTextLayout>

namespace olab::ui {

QStringList wrappedText(const QString& text, const QFont& font, int width, int mostLines) {
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
            lines.back() =
                QFontMetrics(font).elidedText(lines.back() + QLatin1Char(' ') + here, Qt::ElideRight, width);
            break;
        }
        lines << here;
    }
    layout.endLayout();
    return lines;
}

} // namespace olab::ui
