#include <olab/ui/texts.h>

#include "base/plain_text.h"

#include <olab/ui/format.h>

#include <algorithm>
#include <limits>

namespace olab::ui {

QString counted(const char* many, const char* one, std::uint64_t count) {
    const int n = static_cast<int>(std::min<std::uint64_t>(count, std::numeric_limits<int>::max()));
    const QString digits = QString::number(n), mark = QStringLiteral("%n");
    QString text = QCoreApplication::translate(kTextContext, many, one, n);
    if (n == 1 && text == exactText(many).replace(mark, digits)) // nothing translates it
        text = exactText(one).replace(mark, digits);
    return count < 1000 ? text : text.replace(digits, countText(count)); // nothing else is in it yet
}

} // namespace olab::ui
