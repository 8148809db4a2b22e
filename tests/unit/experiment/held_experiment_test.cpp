// An experiment for those who know none of its members: this file includes no header that does.
#include "short_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace olab::experiment {
namespace {

using testing::ElementsAre;

TEST(HeldExperiment, BeginsWithTheDefaultsAndTakesAssignments) {
    EXPECT_THAT(differsFromDefault(HeldExperiment()), testing::IsEmpty());
    EXPECT_THAT(differsFromDefault(HeldExperiment{"streams=2", "h2d=off"}),
                ElementsAre("h2d=off", "streams=2"));
    EXPECT_THROW(HeldExperiment{"streams=0"}, Error);
    EXPECT_THROW(HeldExperiment{"no_such=1"}, Error);
}

TEST(HeldExperiment, ACopyIsAValueOfItsOwn) {
    const HeldExperiment two{"streams=2"};
    HeldExperiment other = two;
    setOption(other, "streams=3");
    EXPECT_EQ(optionText(two, "streams"), "2");
    EXPECT_NE(other, two);
    other = two;
    EXPECT_EQ(other, two);
    const HeldExperiment& itself = other;
    other = itself;
    EXPECT_EQ(other, two);
}

TEST(HeldExperiment, WhatWasMovedFromMayBeAssignedTo) {
    HeldExperiment first{"streams=2"}, second = std::move(first);
    EXPECT_EQ(optionText(second, "streams"), "2");
    first = HeldExperiment{"streams=5"};
    EXPECT_EQ(optionText(first, "streams"), "5");
}

TEST(HeldExperiment, IsEqualWhereTheOptionsAre) {
    const HeldExperiment a{"streams=2"}, b{"streams=2"}, c{"seed=7"};
    EXPECT_TRUE(a == b);
    EXPECT_TRUE(a == *b);
    EXPECT_TRUE(*b == a);
    EXPECT_FALSE(a == *c);
    EXPECT_TRUE(sameOptions(a, *shareExperiment(b)));
    EXPECT_FALSE(sameOptions(a, c));
}

TEST(OptionNumber, ReadsAndSetsNumbersAndSizes) {
    HeldExperiment experiment{"h2d.bytes=3MiB"};
    EXPECT_EQ(optionNumber(experiment, "streams"), 4);
    EXPECT_EQ(optionNumber(experiment, "h2d.bytes"), 3 << 20);
    setNumber(experiment, "streams", 9);
    setNumber(experiment, "h2d.bytes", 4097);
    EXPECT_EQ(optionText(experiment, "streams"), "9");
    EXPECT_EQ(optionNumber(experiment, "h2d.bytes"), 4097);
    EXPECT_THROW(setNumber(experiment, "streams", 0), Error);
    EXPECT_THROW(optionNumber(experiment, "order"), Error) << "no number";
    EXPECT_THROW(optionNumber(experiment, "no_such"), Error);
}

} // namespace
} // namespace olab::experiment
