// Labels of bars, each drawn once: with hundreds of labels in view, text would be most of the frame. Of one
// trace and one theme; kept until there are too many.
#pragma once

#include <olab/trace/trace.h>

#include <QColor>
#include <QFont>
#include <QImage>

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace olab {

class BarLabels {
public:
    void setFont(const QFont& font); ///< forgets the labels of another one
    void forget();                   ///< for another trace or other colours
    int lineHeight() const { return m_lineHeight; }
    /// The label of an activity on its fill, no wider than `width`: in full, its first word, or cut. A null
    /// image when not even three letters fit.
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
        QString whole, word;     ///< the word is shorter, and the only one to be cut
        std::vector<int> widths; ///< of the first n letters of `word` with the sign that it is cut
        int wholeWidth = 0, wordWidth = 0;
        std::unordered_map<qsizetype, QImage> images; ///< by letters shown; kWhole: all
    };
    Label makeLabel(const Trace& trace, ActivityIndex index) const;
    QImage draw(const QString& text, const QColor& fill) const;

    QFont m_font;
    int m_lineHeight = 0;
    std::size_t m_images = 0;
    std::unordered_map<Key, Label, Hash> m_labels;
    std::map<std::pair<QRgb, QString>, QImage> m_rates; ///< by fill and text
};

} // namespace olab
