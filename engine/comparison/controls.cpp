#include <olab/comparison/controls.h>

#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::comparison {
namespace {

ControlRun readControl(const analysis::Report& report) {
    ControlRun run;
    run.makespan = report.bounds.measured.value_or(0);
    for (const analysis::Verdict& verdict : report.verdicts)
        if (verdict.a == ActivityClass::MemcpyH2D && verdict.b == ActivityClass::Kernel && verdict.known) {
            run.overlap = verdict.overlap;
            run.ofAttainable = verdict.ofAttainable;
        }
    return run;
}

bool isWhole(const analysis::Report& report) {
    return std::ranges::none_of(report.defects,
                                [](const Defect& d) { return d.severity() != Severity::Notice; });
}

std::string shareText(const ControlRun& run) {
    return run.ofAttainable ? fixedText(*run.ofAttainable * 100, 0) + " % of what could" : "nothing known";
}

std::string saidOf(const Controls& controls) {
    const std::string seen = "a copy and a kernel in two streams overlapped " + shareText(controls.together) +
                             ", in one stream " + shareText(controls.apart);
    if (controls.hold())
        return "The controls hold: " + seen + ".";
    return "The controls failed: " + seen + ". " +
           (!controls.together.holds ? "What must overlap did not: the device is shared, or something "
                                       "serializes all work (a debugger, an environment variable)."
                                     : "What cannot overlap did: the time stamps of this recording cannot "
                                       "be trusted.");
}

} // namespace

Controls judgeControls(const analysis::Report& together, const analysis::Report& apart, bool simulated) {
    Controls controls{readControl(together), readControl(apart), simulated, {}};
    controls.together.holds = isWhole(together) && controls.together.ofAttainable.value_or(0) >= kMustOverlap;
    controls.apart.holds = isWhole(apart) && controls.apart.ofAttainable &&
                           static_cast<double>(controls.apart.overlap) <= kMustNotOverlap;
    controls.text = saidOf(controls);
    if (simulated)
        controls.text += " Simulated: they say something of the simulator only.";
    return controls;
}

void applyControls(const Controls& controls, analysis::Report& report) {
    if (controls.hold())
        return;
    for (analysis::Verdict& verdict : report.verdicts)
        if (verdict.kind != analysis::VerdictKind::NotApplicable) {
            verdict.kind = analysis::VerdictKind::Inconclusive;
            verdict.text = controls.text;
        }
    report.bounds.efficiency.reset();
    report.bounds.believed = false;
    for (analysis::Finding& finding : report.findings)
        if (finding.status != analysis::FindingStatus::Refuted)
            finding.status = analysis::FindingStatus::Consistent;
}

} // namespace olab::comparison
