// Runs something that must throw an Error and hands it back to be looked at.
#pragma once

#include <olab/trace/error.h>

#include <gmock/gmock.h>

#include <optional>
#include <string>

namespace olab::test {

template <typename Function>
std::optional<Error> errorOf(Function function) {
    try {
        function();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

/// An error of use with this code, whose message has all these words and whose hint is not empty.
template <typename Function>
void expectUsageError(Function function, const std::string& code, const std::vector<std::string>& words) {
    const auto error = errorOf(function);
    ASSERT_TRUE(error) << "nothing was thrown, expected " << code;
    EXPECT_EQ(error->kind(), ErrorKind::Usage);
    EXPECT_EQ(error->code(), code);
    EXPECT_FALSE(error->hint().empty());
    for (const std::string& word : words)
        EXPECT_THAT(error->what(), testing::HasSubstr(word));
}

} // namespace olab::test
