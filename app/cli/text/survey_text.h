// A table of many recordings for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/survey/survey_table.h>

namespace olab::cli {

/// At most `top` rows.
Printed surveyText(const survey::Survey& survey, std::size_t top);

} // namespace olab::cli
