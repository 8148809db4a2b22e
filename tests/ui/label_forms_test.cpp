// What is written on a bar where there is little room: the part that tells it from its neighbours, or
// nothing.
#include "shown_fixture.h"

#include <timeline/canvas/bar_labels.h>

#include <QApplication>
#include <QFontMetrics>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

QStringList formsOf(ActivityClass cls, const std::string& name) {
    auto work = deviceWork(cls, 1'000, 2'000, 13);
    work.name = textId(name);
    return labelForms(shownOf({work})->trace(), 0);
}

QString fitted(const QStringList& forms, int room) { // a letter is ten pixels wide
    return fittingForm(forms, room, [](const QString& text) { return static_cast<int>(text.size()) * 10; });
}

} // namespace

TEST(LabelForms, LibrariesAndEndingsGiveWayToTheTellingPart) {
    const std::pair<const char*, const char*> cases[] = {
        {"cudaDeviceSynchronize", "DeviceSync"},
        {"cudaMemcpyAsync", "MemcpyAsync"},
        {"cudaLaunchKernel_v7000", "LaunchKernel"},
        {"cudaLaunchKernel_ptsz", "LaunchKernel"},
        {"cuMemcpyHtoDAsync_v2", "MemcpyHtoDAsync"},
        {"cuLaunchKernel", "LaunchKernel"},
        {"context synchronize", "context sync"},
        {"olab_fma_kernel", "fma"},
        {"gemm_kernel", "gemm"},
        {"cub::DeviceReduceKernel", "DeviceReduce"},
        {"cutlass", "cutlass"},
        {"current", "current"},
        {"kernel", "kernel"},
        {"olab_", "olab_"},
        {"", ""},
    };
    for (const auto& [name, part] : cases)
        EXPECT_EQ(tellingPart(QString::fromUtf8(name)), QString::fromUtf8(part)) << name;
}

TEST(LabelForms, AreFromLongToShort) {
    EXPECT_EQ(formsOf(ActivityClass::Kernel, "void ns::olab_fma_kernel<float>(int)"),
              (QStringList{"olab_fma_kernel<float>", "olab_fma_kernel", "fma_kernel", "fma"}));
    auto copy = deviceWork(ActivityClass::MemcpyH2D, 3'000, 303'000, 14);
    EXPECT_EQ(labelForms(shownOf({copy})->trace(), 0), (QStringList{"H2D 16 MiB", "H2D"}));
    EXPECT_EQ(formsOf(ActivityClass::Kernel, ""), QStringList{"kernel"});
}

TEST(LabelForms, ACutLabelShowsItsTellingPartOrIsNotDrawn) {
    const QStringList call{"cudaDeviceSynchronize", "DeviceSynchronize", "DeviceSync"};
    EXPECT_EQ(fitted(call, 210), "cudaDeviceSynchronize");
    EXPECT_EQ(fitted(call, 209), "DeviceSynchronize");
    EXPECT_EQ(fitted(call, 100), "DeviceSync");
    EXPECT_EQ(fitted(call, 99), "") << "never \"cud...\"";
    const QStringList name{"a_kernel_with_a_name_that_never_ends"};
    EXPECT_EQ(fitted(name, 200), "a_kernel_with_a_nam…");
    EXPECT_EQ(fitted(name, 130), "a_kernel_wit…");
    EXPECT_EQ(fitted(name, 129), "");
}

TEST(LabelForms, AreTextAndSayThatTheyAreCut) {
    EXPECT_EQ(formsOf(ActivityClass::Kernel, "k\x1b[31m\n\u202e"), QStringList{"k\\x1b[31m\\x0a<U+202E>"});
    const QString cut = formsOf(ActivityClass::Nvtx, std::string(500, 'x')).front();
    EXPECT_EQ(cut.size(), 96);
    EXPECT_TRUE(cut.endsWith(QChar(0x2026)));
}

/// The window's and the pictures' are the same.
TEST(LabelForms, TheTimelineDrawsNoLabelWithoutWorth) {
    auto work = deviceWork(ActivityClass::Kernel, 1'000, 2'000, 13);
    work.name = textId("olab_fma_kernel");
    const view::ViewDataPtr shown = shownOf({work});
    BarLabels labels;
    labels.setFont(QApplication::font());
    const QFontMetrics metrics(QApplication::font());
    const auto widthIn = [&](int room) { return labels.fitting(shown->trace(), 0, room, Qt::blue).width(); };
    const int fma = metrics.horizontalAdvance("fma"), all = metrics.horizontalAdvance("olab_fma_kernel");
    EXPECT_EQ(widthIn(all), all);
    EXPECT_EQ(widthIn(metrics.horizontalAdvance("fma_kernel") - 1), fma) << "not \"olab_f...\"";
    EXPECT_EQ(widthIn(fma), fma);
    EXPECT_EQ(widthIn(fma - 1), 0);
}
