// What may be written on a bar, from all there is to tell an activity by down to its telling part: that is
// what is left of "cudaDeviceSynchronize" or "olab_fma_kernel" without what all its neighbours have in
// common, "DeviceSync" and "fma". Pure functions.
#pragma once

#include <olab/trace/trace.h>

#include <QStringList>

namespace olab::ui {

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

} // namespace olab::ui
