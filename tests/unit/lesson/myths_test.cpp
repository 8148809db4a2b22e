// The verdict on each myth is that of the claim it was made from, measured twice: by the run of its page and
// by the Claims Lab.
#include "test_places.h"

#include <olab/claims/claim_results.h>
#include <olab/lesson/lesson_check.h>
#include <olab/lesson/lesson_file.h>

#include <gtest/gtest.h>

#include <set>

namespace olab::lesson {
namespace {

std::string verdictOf(claims::ClaimOutcome outcome) {
    return outcome == claims::ClaimOutcome::Confirmed ? "True"
           : outcome == claims::ClaimOutcome::Refuted ? "False"
           : outcome == claims::ClaimOutcome::Partly  ? "Partly"
                                                      : "undecided";
}

TEST(Myths, AreJudgedAsTheClaimsTheyWereMadeFrom) {
    const std::filesystem::path folder = std::filesystem::path(OLAB_SOURCE_DIR) / "resources/recordings";
    std::set<std::string> claimsOfMyths;
    for (const LessonStep& step : findShippedLesson("myths")->steps) {
        ASSERT_TRUE(step.myth && step.experiment) << step.title;
        EXPECT_TRUE(claimsOfMyths.insert(step.myth->claim).second) << step.myth->claim;
        const claims::ClaimResult* const measured =
            claims::findResult(*claims::recordedClaims(), step.myth->claim);
        ASSERT_NE(measured, nullptr) << step.myth->claim;
        const LessonRun run(recording::openRecording(recordingFile(*step.experiment, folder)));
        std::string right;
        for (const CheckOutcome& answer : judgeStep(step, run, {}).answers)
            right += answer.outcome == Outcome::Holds ? answer.text : "";
        EXPECT_EQ(right, verdictOf(measured->outcome)) << step.myth->claim << ": " << step.question->text;
    }
}

} // namespace
} // namespace olab::lesson
