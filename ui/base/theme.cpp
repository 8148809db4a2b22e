#include "base/look_style.h"
#include "base/plain_text.h"

#include <olab/analysis/cause_table.h>
#include <olab/ui/theme.h>

#include <QApplication>
#include <QFontInfo>
#include <QSplitter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace olab::ui {

namespace {

using LookColours = std::array<QColor, view::kLooks>;

struct LookColour {
    ActivityClass look;
    const char *light, *dark;
};
constexpr std::array kLookColours = [] {
    using enum ActivityClass;
    return std::to_array<LookColour>({
        {Kernel, "#4542AF", "#4E60D1"},
        {MemcpyH2D, "#59AA88", "#2DCBA0"},
        {MemcpyD2H, "#CD4012", "#D85E38"},
        {MemcpyD2D, "#9283AA", "#E19FEF"},
        {MemcpyP2P, "#6F8FB8", "#8FB4DE"},
        {Memset, "#E4B626", "#F5E43A"},
        {MemcpyOther, "#8A8F98", "#9AA1AB"},
        {HostFn, "#2786B8", "#4FB0E3"},
        {Api, "#9AA5B5", "#7F8C9E"},
        {Sync, "#C3CAD4", "#4A5361"},
        {Overhead, "#B5476F", "#D0668D"},
        {Nvtx, "#8C9E3C", "#B9CC5E"},
        {view::kCommunication, "#84104C", "#A03066"},
    });
}();
static_assert(kLookColours.size() == view::kLooks, "each look has its colours");
static_assert(std::ranges::is_sorted(kLookColours, {}, &LookColour::look), "in the order of the looks");

using CauseColours = std::array<QColor, analysis::kLossCauses>;

/// By CauseFamily: whose doing it is gives the colour.
struct FamilyColour {
    const char *light, *dark;
};
constexpr FamilyColour kFamilyColours[] = {
    {"#8A8F98", "#9AA1AB"}, {"#1E8FA3", "#A5EEF5"}, {"#D08A1E", "#F0A63C"}, {"#5E2A96", "#A873EA"},
    {"#B3204D", "#E0477A"}, {"#606874", "#7C8694"}, {"#C4CAD3", "#505965"}};

/// Tells the causes of a family apart, by their places in it.
constexpr std::array kCauseHatches{Qt::NoBrush,          Qt::BDiagPattern,  Qt::FDiagPattern,
                                   Qt::DiagCrossPattern, Qt::VerPattern,    Qt::HorPattern,
                                   Qt::CrossPattern,     Qt::Dense4Pattern, Qt::Dense2Pattern,
                                   Qt::Dense5Pattern,    Qt::Dense7Pattern, Qt::Dense3Pattern};

CauseColours causeColours(const char* FamilyColour::*palette) {
    CauseColours colours;
    for (std::size_t c = 0; c < analysis::kLossCauses; ++c)
        colours[c] = QColor(kFamilyColours[static_cast<std::size_t>(
                                analysis::causeRow(static_cast<analysis::LossCause>(c)).family)].*
                            palette);
    return colours;
}

LookColours lookColours(const char* LookColour::*palette) {
    LookColours colours;
    for (const LookColour& row : kLookColours)
        colours[static_cast<std::size_t>(row.look)] = QColor(row.*palette);
    return colours;
}

Theme makeLight() {
    Theme t;
    t.window = QColor("#F3F4F6");
    t.base = QColor("#FFFFFF");
    t.raised = QColor("#FAFBFC");
    t.text = QColor("#1B2430");
    t.dim = QColor("#566274");
    t.line = QColor("#D3D8DF");
    t.grid = QColor("#E8EBEF");
    t.lane = QColor("#F7F8FA");
    t.group = QColor("#EBEEF2");
    t.accent = QColor("#1F5FBF");
    t.tick = QColor("#3A4453");
    t.selection = QColor("#111827");
    t.error = QColor("#FDECEA");
    t.errorText = QColor("#8E1B12");
    t.looks = lookColours(&LookColour::light);
    t.causes = causeColours(&FamilyColour::light);
    t.ideal = QColor("#A5D6B0");
    t.pale = QColor("#D3D8DF");
    t.ribbon = {QColor("#C9D3E3"), QColor("#6F9BD8"), QColor("#1B4F9C")};
    t.verdict = {QColor("#D6EFDD"), QColor("#C8B6EE"), QColor("#FFF0C7"), QColor("#FBD9D3"),
                 QColor("#E3E6EB"), QColor("#E3E6EB"), QColor("#EEF0F3")};
    return t;
}

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.window = QColor("#1B1F26");
    t.base = QColor("#14171C");
    t.raised = QColor("#22272F");
    t.text = QColor("#E6EAF0");
    t.dim = QColor("#A3AEBD");
    t.line = QColor("#363D48");
    t.grid = QColor("#272D36");
    t.lane = QColor("#191D23");
    t.group = QColor("#252B34");
    t.accent = QColor("#7FB0F5");
    t.tick = QColor("#C7D0DC");
    t.selection = QColor("#FFFFFF");
    t.error = QColor("#45211F");
    t.errorText = QColor("#FFC9C2");
    t.looks = lookColours(&LookColour::dark);
    t.causes = causeColours(&FamilyColour::dark);
    t.ideal = QColor("#3A6B4A");
    t.pale = QColor("#363D48");
    t.ribbon = {QColor("#33415A"), QColor("#3F78C4"), QColor("#8FC1FF")};
    t.verdict = {QColor("#1F4A33"), QColor("#431A72"), QColor("#54451A"), QColor("#5E2A24"),
                 QColor("#39404A"), QColor("#39404A"), QColor("#2A3038")};
    return t;
}

Theme withContrast(Theme t) {
    const bool dark = t.dark;
    const auto grey = [dark](int light, int night) {
        const int value = dark ? night : light;
        return QColor(value, value, value);
    };
    t.window = t.base = grey(255, 0);
    t.raised = t.lane = grey(250, 12);
    t.group = grey(222, 40);
    t.text = t.selection = t.tick = grey(0, 255);
    t.dim = grey(60, 205);
    t.line = grey(110, 150);
    t.grid = grey(190, 75);
    return t;
}

double channel(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

/// The system's, or with a size that is read across a room.
QFont typeFor(bool projector) {
    static const QFont usual = QApplication::font();
    QFont font = usual;
    if (projector && !ViewStyle::of(font).projector())
        font.setPixelSize(ViewStyle::kProjectorType);
    return font;
}

void setType(const QFont& font) {
    const QFont small = ViewStyle::of(font).smallFont(font);
    const char* ofSmall = SmallLabel::staticMetaObject.className();
    if (font == QApplication::font() && small == QApplication::font(ofSmall))
        return;
    QApplication::setFont(font);
    QApplication::setFont(small, ofSmall);
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* splitter = qobject_cast<QSplitter*>(widget))
            splitter->refresh(); // its handles are as wide as lines are
}

} // namespace

const Theme& Theme::light() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::of(bool dark, bool projector) {
    static const Theme lightLarge = withContrast(light()), darkLarge = withContrast(darkTheme());
    if (projector)
        return dark ? darkLarge : lightLarge;
    return dark ? darkTheme() : light();
}

const Theme& Theme::of(const QPalette& palette) {
    const QColor window = palette.color(QPalette::Window);
    const bool dark = window.lightness() < 128;
    return of(dark, window == of(dark, true).window);
}

QPalette Theme::palette() const {
    QPalette p(window);
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, lane);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ToolTipBase, raised);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        p.setColor(role, text);
    p.setColor(QPalette::PlaceholderText, dim);
    const QColor highlight = dark ? QColor(QStringLiteral("#2F5E9E")) : accent;
    p.setColor(QPalette::Highlight, highlight);
    p.setColor(QPalette::HighlightedText, inkOn(highlight));
    p.setColor(QPalette::Link, accent);
    QColor faint = dim;
    faint.setAlphaF(0.62F);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faint);
    return p;
}

Qt::BrushStyle hatchOf(ActivityClass look) {
    constexpr std::array kStyles{Qt::NoBrush,          Qt::BDiagPattern, Qt::FDiagPattern, // as ClassPattern
                                 Qt::DiagCrossPattern, Qt::VerPattern,   Qt::HorPattern,   Qt::Dense6Pattern};
    return kStyles[static_cast<std::size_t>(view::lookPattern(look))];
}

Qt::BrushStyle hatchOf(analysis::LossCause cause) {
    const analysis::CauseFamily family = analysis::causeRow(cause).family;
    if (family == analysis::CauseFamily::Unknown)
        return Qt::Dense6Pattern;
    std::size_t place = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(cause); ++c)
        place += analysis::causeRow(static_cast<analysis::LossCause>(c)).family == family;
    return kCauseHatches[place % kCauseHatches.size()];
}

QColor edgeOf(const QColor& fill, const Theme& theme) {
    return theme.dark ? fill.lighter(135) : fill.darker(135);
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor inkOn(const QColor& fill) {
    const QColor white(Qt::white), black(QStringLiteral("#10141A"));
    return contrastRatio(white, fill) >= contrastRatio(black, fill) ? white : black;
}

void applyTheme(ThemeChoice choice, bool projector) {
    // Qt 6.4 cannot be asked for the system's scheme; the palette the platform gave the style says it.
    static const bool systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    const Theme& theme = Theme::of(dark, projector);
    static std::once_flag styled;
    std::call_once(styled, [] { QApplication::setStyle(new LookStyle); });
    // Each goes through all widgets, also where it changes nothing.
    if (const QPalette palette = theme.palette(); palette != QApplication::palette()) {
        QApplication::setPalette(palette);
        QToolTip::setPalette(palette);
    }
    setType(typeFor(projector));
}

ViewStyle ViewStyle::ofType(int pixels) {
    ViewStyle style;
    style.type = std::clamp(pixels, 8, 96);
    if (style.projector()) {
        style.small = style.type;
        style.line = style.type / 8;
        style.strong = style.line + 1;
        style.names = 118; // the lanes need the room
    } else {
        style.small = std::max(style.type * 11 / kUsualType, 8);
    }
    return style;
}

ViewStyle ViewStyle::of(const QFont& font) {
    return ofType(QFontInfo(font).pixelSize());
}

QFont ViewStyle::sized(const QFont& base, int pixels, bool bold) {
    QFont font = base;
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

} // namespace olab::ui
