// Times single frames: many views of one recording, each a frame, and what their times look like together.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace olab::bench {

/// Milliseconds of each call.
std::vector<double> timeEach(std::size_t calls, const std::function<void(std::size_t)>& call);
void printFrameHeading();
void printFrames(const std::string& what, std::size_t activities, std::vector<double> milliseconds);

} // namespace olab::bench
