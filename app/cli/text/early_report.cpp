#include "early_report.h"

#include "text_report.h"

#include <olab/analysis/race.h>

#include <algorithm>

namespace olab::cli {
namespace {

Printed raceNews(const analysis::Report& said, const analysis::Report& now) {
    const std::string before = analysis::raceText(said), race = analysis::raceText(now);
    Printed text;
    if (race == before)
        return text;
    text << "\nRACED. " << race << " " << analysis::kRaceHint << "\n";
    if (before.empty())
        text << "The verdicts above do not stand: nothing can be concluded from a pipeline that raced.\n";
    return text;
}

Printed defectNews(const analysis::Report& said, const analysis::Report& now) {
    Printed text;
    for (const Defect& d : now.defects) {
        const bool isNews =
            d.severity() == Severity::DataLoss && std::ranges::find(said.defects, d) == said.defects.end();
        if (!isNews)
            continue;
        text << (text.empty() ? Literal("\ndefects of other runs\n") : Literal(""));
        text << defectText(d) << "\n";
    }
    return text;
}

/// What `now` says that `said` did not: what went wrong in the runs between them.
Printed newsText(const analysis::Report& said, const analysis::Report& now) {
    Printed text = raceNews(said, now);
    return text << defectNews(said, now);
}

} // namespace

recording::ExperimentHooks EarlyReport::hooks() {
    return {[this](recording::RecordingPtr recording) { take(std::move(recording)); },
            [this] { yield(); },
            nullptr,
            {}};
}

void EarlyReport::take(recording::RecordingPtr recording) {
    m_latest = std::move(recording);
    if (!m_said)
        return;
    if (const Printed news = newsText(m_said->report, m_latest->report); !news.empty())
        m_show(news);
    m_said = m_latest;
}

void EarlyReport::yield() {
    m_yielded = true;
    if (!m_wanted)
        return;
    m_show(reportText(*m_latest) << "\ntool effect: being measured\n");
    m_said = m_latest;
}

Printed EarlyReport::lateText(const analysis::Report& all) const {
    Printed text = toolEffectText(all);
    if (all.toolEffect && all.toolEffect->ratio() > analysis::kMaxToolEffect)
        text << "Recording changed the run too much to judge it: the verdicts above are inconclusive.\n";
    return text << newsText(m_said->report, all);
}

} // namespace olab::cli
