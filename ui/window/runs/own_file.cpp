#include "window/runs/own_file.h"

#include <olab/trace/container.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>

#include <QFileInfo>
#include <QString>

namespace olab::ui {

bool isOfAnotherTool(const QString& path) {
    try {
        return QFileInfo::exists(path) && !sniffContainer(InputFile(path.toStdString()).head());
    } catch (const Error&) {
        return false; // what cannot be read is said when it cannot be written
    }
}

} // namespace olab::ui
