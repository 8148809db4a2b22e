// Times single frames: many views of one recording, each a frame, and what their times look like together.
// All views are played several times over and of each its least time counts: what else the machine does then
// does not, and yet each frame finds the caches as the views before it left them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace olab::bench {

/// Milliseconds of each call: the least of `rounds` rounds over all of them.
std::vector<double> timeEach(std::size_t calls, const std::function<void(std::size_t)>& call, int rounds = 1);
void printFrameHeading();
void printFrames(const std::string& what, std::size_t activities, std::vector<double> milliseconds);

} // namespace olab::bench
