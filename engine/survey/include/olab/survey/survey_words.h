// Numbers of a survey as people read them, and what is said of outliers and of how a number changed: the same
// in the window and on the command line. Pure functions, any thread.
#pragma once

#include <olab/survey/standing.h>

#include <string>

namespace olab::survey {

bool isTime(const Column& column);                                   ///< its numbers are nanoseconds
bool isShare(const Column& column);                                  ///< its numbers are shares: 0.98 is 98 %
std::string numberText(const Column& column, long double number);    ///< "33.4 ms", "98 %", "0.9714"
std::string valueText(const Column& column, const io::ReportValue&); ///< "-" where there is none
/// "time 56 % more", "lost 2.1 times as much".
std::string shortOutlierText(const Outlier& outlier, const Column& column);
/// "time 52.1 ms, typical is 33.4 ms (24 runs): 56 % more, 8.2 deviations away".
std::string outlierText(const Outlier& outlier, const Column& column);
/// "time of the later half +3.1 % (+1.0 to +5.2)"; empty: too few to tell.
std::string changeText(const History& history, const Column& column);

} // namespace olab::survey
