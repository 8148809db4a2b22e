// Colours, judged by the published formulas: CIEDE2000 (Sharma, Wu, Dalal 2005, whose test pairs check the
// formula itself), colour vision deficiencies by Machado, Oliveira, Fernandes 2009 (severity 1.0), contrast
// by WCAG 2.
#include <olab/ui/strip_painter.h>
#include <olab/ui/theme.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace olab;
using namespace olab::ui;

namespace {

struct Vec {
    double x, y, z;
};
using Matrix = std::array<Vec, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

double linear(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Vec seen(const QColor& c, const Matrix& m) {
    const Vec v{linear(c.redF()), linear(c.greenF()), linear(c.blueF())};
    const auto row = [&](const Vec& r) { return std::clamp(r.x * v.x + r.y * v.y + r.z * v.z, 0.0, 1.0); };
    return {row(m[0]), row(m[1]), row(m[2])};
}

Vec toLab(const Vec& c) {
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * c.x + 0.3575761 * c.y + 0.1804375 * c.z) / 0.95047);
    const double y = f(0.2126729 * c.x + 0.7151522 * c.y + 0.0721750 * c.z);
    const double z = f((0.0193339 * c.x + 0.1191920 * c.y + 0.9503041 * c.z) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double rad(double degrees) {
    return degrees * std::numbers::pi / 180;
}

double hueOf(double b, double a) {
    if (a == 0 && b == 0)
        return 0;
    const double h = std::atan2(b, a) * 180 / std::numbers::pi;
    return h < 0 ? h + 360 : h;
}

double ciede2000(const Vec& p, const Vec& q) {
    const double mean = (std::hypot(p.y, p.z) + std::hypot(q.y, q.z)) / 2;
    const double g = 0.5 * (1 - std::sqrt(std::pow(mean, 7) / (std::pow(mean, 7) + std::pow(25.0, 7))));
    const double a1 = p.y * (1 + g), a2 = q.y * (1 + g);
    const double c1 = std::hypot(a1, p.z), c2 = std::hypot(a2, q.z);
    const double h1 = hueOf(p.z, a1), h2 = hueOf(q.z, a2);
    double dh = c1 * c2 == 0 ? 0 : h2 - h1;
    dh = dh > 180 ? dh - 360 : dh < -180 ? dh + 360 : dh;
    const double dHue = 2 * std::sqrt(c1 * c2) * std::sin(rad(dh / 2));
    const double l = (p.x + q.x) / 2, c = (c1 + c2) / 2;
    double h = h1 + h2;
    if (c1 * c2 != 0)
        h = std::abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
    const double t = 1 - 0.17 * std::cos(rad(h - 30)) + 0.24 * std::cos(rad(2 * h)) +
                     0.32 * std::cos(rad(3 * h + 6)) - 0.20 * std::cos(rad(4 * h - 63));
    const double sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
    const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    const double rc = 2 * std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
    const double rt = -std::sin(rad(60 * std::exp(-std::pow((h - 275) / 25, 2)))) * rc;
    const double dl = (q.x - p.x) / sl, dc = (c2 - c1) / sc, dH = dHue / sh;
    return std::sqrt(dl * dl + dc * dc + dH * dH + rt * dc * dH);
}

class ThemeTest : public testing::TestWithParam<int> {
protected:
    const Theme& theme() const { return Theme::of(GetParam() % 2 == 1, GetParam() >= 2); }
};

} // namespace

TEST(Ciede2000, AgreesWithThePublishedPairs) {
    EXPECT_NEAR(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(ciede2000({50, 2.5, 0}, {50, 0, -2.5}), 4.3065, 1e-4);
    EXPECT_NEAR(ciede2000({50, 2.5, 0}, {73, 25, -18}), 27.1492, 1e-4);
    EXPECT_NEAR(ciede2000({22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}), 2.0373, 1e-4);
    EXPECT_NEAR(ciede2000({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}), 0.9082, 1e-4);
}

TEST_P(ThemeTest, ClassColoursAreApartForEveryViewer) {
    using enum ActivityClass;
    const ActivityClass classes[] = {Kernel, Memset, MemcpyH2D, MemcpyD2H, MemcpyD2D, view::kCommunication};
    for (const auto& [name, matrix] :
         {std::pair{"normal", kNormal}, {"protan", kProtan}, {"deutan", kDeutan}, {"tritan", kTritan}})
        for (std::size_t i = 0; i < std::size(classes); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(ciede2000(toLab(seen(theme().colour(classes[i]), matrix)),
                                    toLab(seen(theme().colour(classes[j]), matrix))),
                          15)
                    << name << ": " << view::lookLabel(classes[i]) << " and " << view::lookLabel(classes[j]);
}

TEST_P(ThemeTest, ColoursOfNamesAreApartAndCarryText) {
    std::vector<QColor> all;
    for (view::ColourNumber number = 0; number <= view::kNameColours; ++number)
        all.push_back(colourOf(number, theme()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_GE(contrastRatio(inkOn(all[i]), all[i]), 4.5) << all[i].name().toStdString();
        EXPECT_GE(contrastRatio(all[i], theme().base), 1.25) << all[i].name().toStdString();
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GE(ciede2000(toLab(seen(all[i], kNormal)), toLab(seen(all[j], kNormal))), 12)
                << all[i].name().toStdString() << " and " << all[j].name().toStdString();
    }
}

TEST_P(ThemeTest, HowMuchIsOverlappedHasAColourForEveryViewer) {
    for (const auto& [name, matrix] :
         {std::pair{"normal", kNormal}, {"protan", kProtan}, {"deutan", kDeutan}, {"tritan", kTritan}})
        for (int i = 0; i < view::kOverlapColours; ++i) {
            const QColor one = colourOf(static_cast<view::ColourNumber>(view::kFirstOverlap + i), theme());
            EXPECT_GE(contrastRatio(inkOn(one), one), 4.5) << one.name().toStdString();
            for (int j = 0; j < i; ++j) {
                const QColor other =
                    colourOf(static_cast<view::ColourNumber>(view::kFirstOverlap + j), theme());
                EXPECT_GE(ciede2000(toLab(seen(one, matrix)), toLab(seen(other, matrix))), 15) << name;
            }
        }
}

TEST_P(ThemeTest, WhoseDoingALossIsHasAColourForEveryViewer) {
    using enum analysis::LossCause;
    const Theme& t = theme();
    const QColor colours[] = {t.ideal, t.colour(HostLate), t.colour(NullStream), t.colour(Connections),
                              t.colour(Pageable)};
    for (const Matrix& matrix : {kNormal, kProtan, kDeutan, kTritan})
        for (std::size_t i = 0; i < std::size(colours); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(ciede2000(toLab(seen(colours[i], matrix)), toLab(seen(colours[j], matrix))), 15)
                    << colours[i].name().toStdString() << " and " << colours[j].name().toStdString();
}

TEST_P(ThemeTest, NoTwoFamiliesOfCausesShareAColour) {
    using enum analysis::LossCause;
    std::vector<QColor> colours;
    for (const analysis::LossCause cause :
         {StreamOrder, HostLate, NullStream, Connections, Pageable, EngineBound, Unexplained})
        colours.push_back(theme().colour(cause));
    for (std::size_t i = 0; i < colours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GE(ciede2000(toLab(seen(colours[i], kNormal)), toLab(seen(colours[j], kNormal))), 8)
                << colours[i].name().toStdString() << " and " << colours[j].name().toStdString();
}

// The other fills are closer to each other (green and red for protan and deutan); a symbol and a word tell
// all of them apart.
TEST_P(ThemeTest, TheFillOfStretchedIsApartFromAllOthersForEveryViewer) {
    const QColor& stretched = theme().colour(analysis::VerdictKind::Stretched);
    for (const auto& [name, matrix] :
         {std::pair{"normal", kNormal}, {"protan", kProtan}, {"deutan", kDeutan}, {"tritan", kTritan}})
        for (std::size_t kind = 0; kind < analysis::kVerdictKinds; ++kind) {
            const QColor& other = theme().verdict[kind];
            if (static_cast<analysis::VerdictKind>(kind) != analysis::VerdictKind::Stretched) {
                EXPECT_GE(ciede2000(toLab(seen(stretched, matrix)), toLab(seen(other, matrix))), 11)
                    << name << ": " << analysis::verdictName(static_cast<analysis::VerdictKind>(kind));
            }
        }
}

TEST_P(ThemeTest, TextIsReadableWhereItStands) {
    const Theme& t = theme();
    for (const QColor& ground : {t.window, t.base, t.raised, t.lane, t.group}) {
        EXPECT_GE(contrastRatio(t.text, ground), 4.5) << ground.name().toStdString();
        EXPECT_GE(contrastRatio(t.dim, ground), 4.5) << ground.name().toStdString();
    }
    for (const QColor& fill : t.verdict)
        EXPECT_GE(contrastRatio(t.text, fill), 4.5) << fill.name().toStdString();
    EXPECT_GE(contrastRatio(t.errorText, t.error), 4.5);
    for (const QColor& fill : t.looks)
        EXPECT_GE(contrastRatio(inkOn(fill), fill), 4.5) << fill.name().toStdString();
    const QPalette p = t.palette();
    EXPECT_GE(contrastRatio(p.color(QPalette::HighlightedText), p.color(QPalette::Highlight)), 4.5);
    EXPECT_GE(contrastRatio(inkOn(t.accent), t.accent), 4.5);
}

TEST_P(ThemeTest, TheThemeOfItsOwnPaletteIsItself) {
    EXPECT_EQ(&Theme::of(theme().palette()), &theme());
}

INSTANTIATE_TEST_SUITE_P(LightAndDarkAndLarge, ThemeTest, testing::Range(0, 4));

TEST(Theme, ContrastOfBlackAndWhiteIsTwentyOne) {
    EXPECT_NEAR(contrastRatio(Qt::black, Qt::white), 21, 1e-9);
}
