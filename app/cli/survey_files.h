// olab analyze of folders, or of many files with --table: a row each.
#pragma once

#include "arguments.h"

namespace olab::cli {

/// Whether the arguments of `olab analyze` ask for that.
bool wantsSurvey(const Arguments& arguments);
/// @returns the exit code: 2 if none of the files could be judged
int runSurvey(const Arguments& arguments);

} // namespace olab::cli
