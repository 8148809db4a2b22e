// The views that frames are timed in.
#pragma once

#include <olab/ui/theme.h>
#include <olab/view/viewport.h>

namespace olab::bench {

constexpr int kWidth = 1920, kHeight = 1080, kGutter = ui::ViewStyle{}.gutter();

/// Views from the whole run down to nanoseconds, in steps of 0.6, each at a place of its own.
std::vector<view::Viewport> zoomViews(const view::Viewport& whole);
/// At every zoom some steps to the right.
std::vector<view::Viewport> panViews(const view::Viewport& whole);
/// The lengths in view of the slowest hundredth of frames.
void printSlowest(const std::vector<view::Viewport>& views, const std::vector<double>& milliseconds);

} // namespace olab::bench
