// Any text as the name that a recording gives a kernel or a call: written out, shortened, and made visible.
// The forms that are written on bars are part of the window, so this target links it.
#include "fuzz.h"

#include <olab/trace/kernel_name.h>
#include <olab/trace/visible_text.h>
#include <timeline/canvas/bar_labels.h>

using namespace olab;
using fuzz::require;

namespace {

Trace named(std::string_view name) {
    TraceBuilder builder;
    builder.add(DeviceRecord{.device = 0, .name = "GPU"});
    for (const ActivityClass cls : {ActivityClass::Kernel, ActivityClass::Api}) {
        ActivityRecord record;
        record.cls = cls;
        record.begin = 1000;
        record.end = 2000;
        (cls == ActivityClass::Api ? record.thread : record.device) = 0;
        record.name = builder.intern(name);
        builder.add(record);
    }
    return builder.finish();
}

bool isVisible(const std::string& text) {
    return visibleText(text) == text;
}

void judgeForms(std::string_view name) {
    const Trace trace = named(name);
    for (ActivityIndex index = 0; index < trace.size(); ++index) {
        const QStringList forms = ui::labelForms(trace, index);
        require(!forms.isEmpty());
        for (qsizetype i = 0; i < forms.size(); ++i)
            require(!forms[i].isEmpty() && isVisible(forms[i].toStdString()) &&
                    (i == 0 || forms[i].size() < forms[i - 1].size()));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view name = fuzz::textOf(data, size);
    demangled(name);
    const std::string shortName = kernelName(name);
    require(shortName.size() <= demangled(name).size());
    require(withoutTemplateArguments(shortName).size() <= shortName.size());
    require(isVisible(visibleText(name)) && visibleText(name).find('\n') == std::string::npos);
    judgeForms(name);
    return 0;
}
