// Labels of bars, each drawn once: with hundreds of labels in view, text would be most of the frame. Of one
// trace and one theme; kept until there are too many.
#pragma once

#include <olab/trace/trace.h>

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRect>
#include <QString>
#include <QStringList>

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace olab::ui {

// What may be written on a bar, from all there is to tell an activity by down to its telling part: that is
// what is left of "cudaDeviceSynchronize" or "olab_fma_kernel" without what all its neighbours have in
// common, "DeviceSync" and "fma". Pure functions.

/// Letters that a longer word must show to be told from others: cut to fewer, it says nothing.
inline constexpr qsizetype kTellingLetters = 12;

/// Of a name as it is written: "cuMemcpyHtoDAsync_v2" -> "MemcpyHtoDAsync", "gemm_kernel" -> "gemm".
QString tellingPart(const QString& name);

/// Longest first, each shorter than the one before, all of them text that may be shown (visible_text.h);
/// never empty. The last is the only one that may be cut, after kTellingLetters at the earliest.
QStringList labelForms(const Trace& trace, ActivityIndex index);

/// The longest form whose width, as `widthOf` tells it, is `room` or less; else the last one cut; empty where
/// not even its telling letters fit.
template <typename WidthOf>
QString fittingForm(const QStringList& forms, int room, WidthOf widthOf) {
    for (const QString& form : forms)
        if (widthOf(form) <= room)
            return form;
    const QString& last = forms.back();
    for (qsizetype letters = last.size() - 1; letters >= kTellingLetters; --letters)
        if (const QString cut = last.left(letters) + QChar(0x2026); widthOf(cut) <= room)
            return cut;
    return {};
}

class BarLabels {
public:
    void setFont(const QFont& font); ///< forgets the labels of another one
    void forget();                   ///< for another trace or other colours
    int lineHeight() const { return m_lineHeight; }
    /// Where labels were written last, in pixels of the image: forgotten with each new image.
    const std::vector<QRect>& places() const { return m_places; }
    void beginImage() { m_places.clear(); }
    void written(const QRect& place) { m_places.push_back(place); }
    /// The label of an activity on its fill, no wider than `width`: the longest of its forms that fits, or
    /// the last one cut. A null image where its telling part does not fit.
    const QImage& fitting(const Trace& trace, ActivityIndex index, int width, const QColor& fill);
    /// The rate of a copy or memset, "54.9 GB/s", on its fill; null when it is unknown or wider than `width`.
    const QImage& rate(const Trace& trace, ActivityIndex index, int width, const QColor& fill);

private:
    struct Key {
        ActivityClass cls;
        std::uint32_t name;
        std::int64_t bytes;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    struct Label {
        struct Form {
            QString text;
            int width = 0;
        };
        std::vector<Form> forms; ///< longest first; only the last one is cut
        std::vector<int> widths; ///< of its first n letters with the sign that it is cut
        /// By fill and letters shown; whole forms: minus their number.
        std::map<std::pair<QRgb, qsizetype>, QImage> images;
        /// What fits, as a key of `images` and its text; empty: nothing.
        std::pair<qsizetype, QString> fitting(int width) const;
    };
    Label makeLabel(const Trace& trace, ActivityIndex index) const;
    QImage draw(const QString& text, const QColor& fill) const;

    std::vector<QRect> m_places;
    QFont m_font;
    int m_lineHeight = 0;
    std::size_t m_images = 0;
    std::unordered_map<Key, Label, Hash> m_labels;
    std::map<std::pair<QRgb, QString>, QImage> m_rates; ///< by fill and text
};

} // namespace olab::ui
