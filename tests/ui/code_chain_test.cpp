// From the device to the code and back: calls, ranges, and what was issued within them.
#include "canvas_fixture.h"

#include <olab/view/code_chain.h>
#include <results/inspector.h>

#include <QSignalSpy>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

ActivityRecord onHost(ActivityClass cls, const char* name, Ns begin, Ns end, std::uint32_t correlation = 0) {
    ActivityRecord r;
    r.cls = cls, r.name = textId(name), r.begin = begin, r.end = end;
    r.thread = 100, r.correlation = correlation;
    return r;
}

/// A step with two operators, each of which launches a kernel; the second kernel is the longer one.
view::ViewDataPtr step() {
    ActivityRecord first = deviceWork(ActivityClass::Kernel, 1'300'000, 1'400'000, 13);
    first.correlation = 1;
    ActivityRecord second = deviceWork(ActivityClass::Kernel, 1'400'000, 1'700'000, 13);
    second.correlation = 2;
    return shownOf({onHost(ActivityClass::Nvtx, "step", 1'000'000, 1'290'000),
                    onHost(ActivityClass::Nvtx, "aten::linear", 1'010'000, 1'100'000),
                    onHost(ActivityClass::Nvtx, "aten::addmm", 1'020'000, 1'090'000),
                    onHost(ActivityClass::Api, "cudaLaunchKernel", 1'030'000, 1'040'000, 1),
                    onHost(ActivityClass::Nvtx, "aten::relu", 1'110'000, 1'200'000),
                    onHost(ActivityClass::Api, "cudaLaunchKernel", 1'120'000, 1'130'000, 2), first, second});
}

std::vector<std::string> names(const Trace& trace, const std::vector<ActivityIndex>& rows) {
    std::vector<std::string> all;
    for (const ActivityIndex row : rows)
        all.emplace_back(trace.text(trace.nameOf(row)));
    return all;
}

ActivityIndex kernelAt(const Trace& trace, Ns begin) {
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (trace.cls(row) == ActivityClass::Kernel && trace.begin(row) == begin)
            return row;
    return kNoActivity;
}

ActivityIndex named(const Trace& trace, std::string_view name) {
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (trace.text(trace.nameOf(row)) == name)
            return row;
    return kNoActivity;
}

} // namespace

TEST(CodeChain, LeadsFromAKernelToItsCallAndTheRangesAroundIt) {
    const view::ViewDataPtr shown = step();
    const Trace& trace = shown->trace();
    EXPECT_EQ(names(trace, view::codeChain(shown->facts, kernelAt(trace, 1'300'000))),
              (std::vector<std::string>{"cudaLaunchKernel", "aten::addmm", "aten::linear", "step"}));
    EXPECT_EQ(names(trace, view::codeChain(shown->facts, named(trace, "aten::relu"))),
              (std::vector<std::string>{"step"}));
}

TEST(CodeChain, LeadsFromARangeToWhatItIssued) {
    const view::ViewDataPtr shown = step();
    const Trace& trace = shown->trace();
    const view::WorkWithin all = view::workWithin(shown->facts, named(trace, "step"));
    EXPECT_EQ(all.count, 2u);
    EXPECT_EQ(all.time, 400'000);
    EXPECT_EQ(all.longest, kernelAt(trace, 1'400'000));
    EXPECT_EQ(view::workWithin(shown->facts, named(trace, "aten::addmm")).count, 1u);
}

TEST(CodeChain, TheInspectorGoesThere) {
    const view::ViewDataPtr shown = step();
    Inspector inspector;
    inspector.showActivity(shown, kernelAt(shown->trace(), 1'300'000));
    const QString text = inspector.toPlainText();
    EXPECT_TRUE(text.contains(QStringLiteral("in aten::addmm"))) << text.toStdString();
    QSignalSpy chosen(&inspector, &Inspector::activityChosen);
    const ActivityIndex range = named(shown->trace(), "aten::addmm");
    emit inspector.anchorClicked(QUrl(QStringLiteral("go:%1").arg(range)));
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.front().front().toUInt(), range);
    inspector.showActivity(shown, named(shown->trace(), "step"));
    EXPECT_TRUE(inspector.toPlainText().contains(QStringLiteral("2 operations of the device")))
        << inspector.toPlainText().toStdString();
}
