#include "views.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace olab::bench {
namespace {

constexpr int kZooms = 24, kPans = 40;

} // namespace

std::vector<view::Viewport> zoomViews(const view::Viewport& whole) {
    std::vector<view::Viewport> views;
    for (int round = 0; round < 8; ++round) {
        view::Viewport view = whole;
        for (int i = 0; i < kZooms * 2; ++i) {
            views.push_back(view);
            view.zoomAt((round * 211 + i * 53) % view.width(), 0.6);
        }
    }
    return views;
}

std::vector<view::Viewport> panViews(const view::Viewport& whole) {
    std::vector<view::Viewport> views;
    view::Viewport view = whole;
    for (int i = 0; i < kZooms; ++i) {
        view.zoomAt(view.width() * (i % 3 + 1) / 4, 0.4);
        for (int step = 0; step < kPans; ++step) {
            view.panBy(37);
            views.push_back(view);
        }
    }
    return views;
}

void printSlowest(const std::vector<view::Viewport>& views, const std::vector<double>& milliseconds) {
    std::vector<std::size_t> order(views.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return -milliseconds[i]; });
    order.resize(views.size() / 100 + 1);
    const auto length = [&](std::size_t i) { return views[i].visible().length(); };
    const auto [shortest, longest] = std::ranges::minmax_element(order, {}, length);
    std::printf("    its slowest frames show            %.3f to %.3f ms\n",
                static_cast<double>(length(*shortest)) * 1e-6, static_cast<double>(length(*longest)) * 1e-6);
}

} // namespace olab::bench
