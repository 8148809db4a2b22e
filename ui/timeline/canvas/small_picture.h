// A small picture of the engine lanes, of the whole run or of a part of it: minimap, run list, gallery,
// comparison. What it shows is kept apart from its colours, so that a run that is out of memory has one in
// any theme.
#pragma once

#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <QImage>
#include <QSize>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace olab::ui {

/// What one engine of a device did.
struct EngineWork {
    std::uint8_t device = 0;
    EngineKind engine = EngineKind::None;
    QString name;
    double busy = 0; ///< of the time of all device work
};
/// Of the engines that did something, in the order of the timeline.
std::vector<EngineWork> engineWorkOf(const view::ViewData& shown);

class SmallPicture {
public:
    SmallPicture() = default; ///< of nothing
    /// All of the run where no range is given.
    SmallPicture(const view::ViewData& shown, QSize size, std::optional<Interval> range = {});
    /// Of one engine alone, that did something.
    SmallPicture(const view::ViewData& shown, const EngineWork& of, QSize size);
    QImage painted(const Theme& theme) const;

private:
    /// What one look does in one lane: how many pixels of each column it fills.
    struct Layer {
        ActivityClass look;
        std::vector<std::uint16_t> filled;
    };
    struct LaneShares {
        int top, height;
        std::vector<Layer> layers; ///< from the foot up
    };
    LaneShares sharesOf(const view::LookCoverage& coverage, int top, int height, Interval range) const;
    void paint(QImage& image, const LaneShares& lane, const Theme& theme) const;
    QSize m_size;
    std::vector<LaneShares> m_lanes;
};

QImage pictureOf(const view::ViewData& shown, QSize size, const Theme& theme,
                 std::optional<Interval> range = {});

} // namespace olab::ui
