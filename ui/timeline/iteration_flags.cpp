#include "timeline/iteration_flags.h"

#include "base/plain_text.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QFontMetrics>
#include <QObject>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kBoxPad = 3, kMarkHeight = 3, kFewestPixels = 3;

QString hintOf(const analysis::SteadyState& found, const analysis::JudgedIteration& iteration, bool isWorst) {
    return QObject::tr("%1 iteration: number %2 of %3 takes %4; the median is %5. A click shows it.")
        .arg(isWorst ? QObject::tr("Worst") : QObject::tr("Typical"))
        .arg(iteration.number + 1)
        .arg(found.iterations.size())
        .arg(durationText(iteration.time.length()), durationText(found.period));
}

} // namespace

std::vector<IterationFlag> iterationFlags(const view::ViewData& shown, const view::Viewport& whole, int left,
                                          QSize room, const QFont& font) {
    std::vector<IterationFlag> flags;
    const auto found = shown.steadyState();
    if (!found)
        return flags;
    const QFontMetrics metrics(font);
    const auto columnOf = [&](Ns time) {
        return left + static_cast<int>(std::clamp<std::int64_t>(whole.edgeAt(time), 0, whole.width() - 1));
    };
    for (std::size_t i = 0; i < found->judged.size(); ++i) {
        IterationFlag flag;
        const bool isWorst = i == 1;
        flag.time = found->judged[i].time;
        flag.letter = isWorst ? QObject::tr("W") : QObject::tr("T");
        flag.hint = hintOf(*found, found->judged[i], isWorst);
        const int from = columnOf(flag.time.begin), to = columnOf(flag.time.end);
        flag.line = {from, room.height() - kMarkHeight, std::max(to - from, kFewestPixels), kMarkHeight};
        const int wide = metrics.horizontalAdvance(flag.letter) + 2 * kBoxPad;
        int x = std::min(from, room.width() - wide);
        if (!flags.empty() && QRect(x, flag.line.y(), wide, 1).left() <= flags.front().box.right() &&
            x + wide > flags.front().box.left()) // beside the other, not upon it
            x = flags.front().box.right() + 2 + wide <= room.width() ? flags.front().box.right() + 2
                                                                     : flags.front().box.left() - wide - 2;
        flag.box = {x, room.height() - kMarkHeight - metrics.height(), wide, metrics.height()};
        flags.push_back(flag);
    }
    return flags;
}

void paintIterationFlags(QPainter& painter, const Theme& theme, const std::vector<IterationFlag>& flags) {
    for (const IterationFlag& flag : flags) {
        painter.fillRect(flag.line, theme.text);
        painter.fillRect(flag.box, theme.base);
        painter.setPen(theme.text);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        painter.drawText(flag.box, Qt::AlignCenter, flag.letter);
    }
}

} // namespace olab::ui
