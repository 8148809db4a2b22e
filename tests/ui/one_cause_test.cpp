// An operation has one reason for when it began: all that shows, sorts, searches or draws its wait says the
// same cause and the same time.
#include "test_places.h"

#include <base/ledger_pieces.h>
#include <olab/analysis/cause_table.h>
#include <olab/recording/recording.h>
#include <olab/ui/activities_model.h>
#include <olab/ui/format.h>
#include <olab/view/place.h>
#include <results/inspector.h>
#include <timeline/accessibility/accessible_timeline.h>
#include <timeline/search/search.h>
#include <timeline/texts/hover_card.h>
#include <timeline/texts/range_text.h>

#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

using namespace olab;
using namespace olab::ui;

namespace {

/// What the account says, read from the account itself; else nothing.
struct OwnerSaid {
    std::string id;
    Ns waited = 0;
};
std::optional<OwnerSaid> ownerOf(const view::ViewData& shown, ActivityIndex op) {
    const view::AccountPtr account = shown.account();
    if (!account || account->ledger().waits.empty())
        return std::nullopt;
    const analysis::OwnedWait& wait = account->ledger().waits[shown.facts.deviceWork().numberOf(op)];
    return OwnerSaid{std::string(analysis::lossCauseId(wait.cause)),
                     shown.trace().time(op).begin - wait.ready};
}

/// All places that show a wait, of one recording.
class WaitPlaces {
public:
    explicit WaitPlaces(view::ViewDataPtr shown)
        : m_shown(std::move(shown)) {
        m_model.setShown(m_shown);
        for (const Lane& lane : m_shown->index.lanes().lanes())
            if (lane.kind == LaneKind::Stream)
                for (const view::Strip& strip : m_shown->index.strips(lane.id))
                    for (std::size_t i = 0; i < strip.activities.size(); ++i)
                        m_strips[strip.activities[i]] = &strip;
    }

    void expectOne(ActivityIndex op) {
        const auto wait = m_shown->waitOf(op);
        ASSERT_TRUE(wait);
        const std::string id(analysis::waitCauseId(wait->cause));
        EXPECT_EQ(cell(op, ActivitiesModel::Cause), causeTitle(wait->cause));
        const auto owner = ownerOf(*m_shown, op);
        if (owner) {
            EXPECT_EQ(cell(op, ActivitiesModel::Waited), exactDurationText(owner->waited));
            if (!owner->id.empty()) {
                EXPECT_EQ(id, owner->id);
            } else {
                EXPECT_TRUE(id == "none" || id == "stream-order") << id;
            }
        }
        expectCard(op, *wait);
        expectSentence(op, *wait);
        expectGhost(op, *wait, owner.has_value());
        const view::Place place = view::placeOf(*m_shown, op);
        if (wait->isHeld() && wait->blocker != kNoActivity) {
            EXPECT_EQ(place.op, op);
            EXPECT_EQ(place.culprit, wait->blocker);
            EXPECT_EQ(place.wait, wait->time);
        }
        m_found[id].insert(op);
    }

    void expectSearch() {
        for (const auto& [id, ops] : m_found) {
            Search search(*m_shown, SearchQuery::parse(QStringLiteral("because ") + fromText(id)));
            search.advance(m_shown->trace().size());
            const std::set<ActivityIndex> matches(search.matches().begin(), search.matches().end());
            for (const ActivityIndex op : ops)
                EXPECT_TRUE(matches.contains(op)) << id;
        }
    }

    /// "memset #116 (stream 14) waited 430 us ..." @returns how many such there are
    std::size_t expectFindings() const {
        std::size_t said = 0;
        for (const analysis::Finding& finding : m_shown->report()->findings)
            for (const ActivityIndex op : finding.activities)
                for (const std::string& text : {finding.text, finding.why}) {
                    const std::string name = analysis::activityName(m_shown->facts, op) + " waited ";
                    const auto at = text.find(name);
                    if (at == std::string::npos)
                        continue;
                    const auto wait = m_shown->waitOf(op);
                    EXPECT_TRUE(wait &&
                                text.substr(at + name.size()).starts_with(analysis::timeText(wait->length())))
                        << text;
                    EXPECT_TRUE(wait && wait->cause == analysis::lossCauseOf(finding.id)) << text;
                    ++said;
                }
        return said;
    }

private:
    QString cell(ActivityIndex op, int column) const {
        return m_model.data(m_model.index(static_cast<int>(op), column), Qt::DisplayRole).toString();
    }

    void expectCard(ActivityIndex op, const analysis::ExplainedWait& wait) const {
        EXPECT_EQ(cell(op, ActivitiesModel::Waited), exactDurationText(wait.length()));
        QString waited;
        for (const auto& [name, value] : activityFields(*m_shown, op))
            if (name == QStringLiteral("Waited"))
                waited = value;
        EXPECT_EQ(waited, durationText(wait.length()));
        EXPECT_EQ(spokenActivity(*m_shown, op).contains(QStringLiteral("waited ") + waited),
                  wait.length() > 0);
    }

    void expectSentence(ActivityIndex op, const analysis::ExplainedWait& wait) {
        const QString why = whyThen(*m_shown, op);
        EXPECT_EQ(why, sentence(analysis::waitSentence(m_shown->facts, wait)));
        if (wait.isHeld()) {
            EXPECT_TRUE(why.contains(sentence(analysis::timeText(wait.length())))) << qPrintable(why);
        }
        if (m_inspected++ % kInspectEach != 0)
            return;
        m_inspector.showActivity(m_shown, op);
        const QString text = m_inspector.toPlainText();
        EXPECT_EQ(text.count(QStringLiteral("Waited ")), why.count(QStringLiteral("Waited ")))
            << qPrintable(text);
    }

    void expectGhost(ActivityIndex op, const analysis::ExplainedWait& wait, bool isOwned) const {
        if (!isOwned)
            return;
        const auto ghost = m_shown->account()->waitOf(op);
        ASSERT_EQ(ghost.has_value(), wait.isHeld());
        if (!ghost)
            return;
        EXPECT_EQ(ghost->cause, wait.cause);
        EXPECT_EQ(ghost->blocker, wait.blocker);
        EXPECT_EQ(ghost->time, wait.time);
        const auto drawn = m_shown->account()->waitAt(*m_strips.at(op), m_shown->trace().time(op).begin - 1);
        if (drawn && drawn->wait.op == op) { // else something else is in the strip until it begins
            EXPECT_EQ(drawn->wait.time, wait.time);
            EXPECT_TRUE(waitText(*m_shown, drawn->wait).contains(durationText(wait.length())));
        }
    }

    static constexpr std::size_t kInspectEach = 2; // a document is made for each
    view::ViewDataPtr m_shown;
    ActivitiesModel m_model;
    Inspector m_inspector;
    std::size_t m_inspected = 0;
    std::map<ActivityIndex, const view::Strip*> m_strips;
    std::map<std::string, std::set<ActivityIndex>> m_found;
};

} // namespace

TEST(OneCause, EveryPlaceSaysTheSameOfEachOperation) {
    std::size_t recordings = 0, owned = 0, findings = 0;
    for (const auto& entry : std::filesystem::directory_iterator(OLAB_SOURCE_DIR "/resources/recordings")) {
        if (entry.path().extension() != ".olab")
            continue;
        const auto shown = std::make_shared<const view::ViewData>(recording::openRecording(entry.path()));
        SCOPED_TRACE(entry.path().filename().string());
        WaitPlaces places(shown);
        const analysis::DeviceWork& work = shown->facts.deviceWork();
        for (std::size_t n = 0; n < work.size() && !testing::Test::HasFailure(); ++n)
            places.expectOne(work.row(n));
        places.expectSearch();
        findings += places.expectFindings();
        ++recordings;
        owned += shown->waits().size() > 0 && shown->waits()[0].isOwned;
    }
    EXPECT_GT(recordings, 40u);
    EXPECT_GT(owned, 40u);
    EXPECT_GT(findings, 40u);
}

TEST(OneCause, AnAccountThatComesLaterIsAskedFromThenOn) {
    const auto shown = std::make_shared<const view::ViewData>(
        recording::openRecording(OLAB_SOURCE_DIR "/resources/recordings/null-stream-h200.olab"));
    const view::AccountPtr account = shown->account();
    ASSERT_TRUE(account);
    shown->setAccount(nullptr);
    EXPECT_FALSE(shown->waits()[0].isOwned);
    shown->setAccount(account);
    EXPECT_TRUE(shown->waits()[0].isOwned);
}
