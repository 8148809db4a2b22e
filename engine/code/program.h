// The elements of a program, derived once from the options; and the parts that write it.
#pragma once

#include <olab/code/cuda_code.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace olab::code {

// Collects the lines of a program, indents them, and adds braces to the blocks that need them.

using Keys = std::initializer_list<std::string_view>;

constexpr std::uint32_t bitOf(experiment::OpKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
}

class CodeWriter {
public:
    /// The line just written; valid until the next one.
    class Line {
    public:
        explicit Line(CodeLine& line)
            : m_line(&line) {}
        Line& by(Keys keys);                 ///< the options that it comes from
        Line& runs(experiment::OpKind kind); ///< an op that it executes

    private:
        CodeLine* m_line;
    };
    Line add(std::string_view text);
    void blank();
    /// A function or struct: its head, then `close` ("}", "};"). Its lines between begin and end are
    /// indented.
    void begin(std::string_view head, Keys keys = {});
    void end(std::string_view close = "}");
    /// A loop or condition: without braces around one line, removed around none.
    void beginLoop(std::string_view head, Keys keys = {});
    void endLoop();
    std::vector<CodeLine> take();

private:
    void indent(int by) { m_depth += by; }
    std::vector<CodeLine> m_lines;
    std::vector<std::size_t> m_loops; ///< positions of the heads of open loops
    int m_depth = 0;
};

/// What a stream is for where there is one for each role; in the order of `roles`.
enum class Role : std::uint8_t { CopyIn, Compute, CopyOut };

/// Properties of an experiment that several parts use.
struct Program {
    explicit Program(const experiment::Experiment& experiment);

    const experiment::Experiment& e;
    bool copiesIn, copiesOut;         ///< as separate copies
    bool readsInPlace, writesInPlace; ///< the kernel uses host memory
    bool toConstant;
    bool byPass;    ///< a stream's pass is issued as a whole
    bool perStream; ///< a host thread for each stream
    bool onCallback;
    bool driver; ///< api=driver
    bool allDevices;
    bool manyPasses; ///< there is something between passes
    bool nullOp, interferes;
    bool hasPieces; ///< the call between passes works on memory made before
    bool watches;   ///< callback by a thread that watches events
    bool gate;      ///< everything is queued before the device starts
    bool graph;
    bool fill;            ///< memset.method=kernel
    bool roles;           ///< the streams are those of the roles, not of the pipelines
    bool saysFree;        ///< events say that buffers are free
    bool inputs, outputs; ///< the kernel has words to check, to write

    /// Number of pipelines, the stream argument of a call, shared memory of a launch, bytes of an H2D copy.
    std::string count() const { return allDevices ? "pipelineCount" : "streams"; }
    std::string kernelStream() const;
    std::string streamFor(Role role) const;
    std::string lastStream() const { return streamFor(copiesOut ? Role::CopyOut : Role::Compute); }
    int streamCount() const { return experiment::streamsOf(e); } ///< of a device
    std::vector<std::string> roleEvents() const;                 ///< of each pipeline
    std::string sharedBytes() const { return e.kernelSmem > 0 ? "sharedBytes" : "0"; }
    std::string h2dBytes() const { return e.h2dFirstBytes > 0 ? "h2dBytesOf(p.number)" : "h2dBytes"; }
    std::string allPipelines() const { return "for (Pipeline& p : pipelines)"; }
    std::string constantSlice() const; ///< bytes of the array that each stream has
    bool usesNullStream() const;
    bool takesHostMemory() const; ///< by malloc and the like
    bool waitsByEvent() const { return olab::experiment::waitsByEvent(e.sync); }
};

/// "16 << 20", "4096", as people write sizes.
std::string bytesText(std::int64_t bytes);

void writeHead(CodeWriter& out, const Program& p, const std::vector<std::string>& missing);
void writeTools(CodeWriter& out, const Program& p); ///< includes, sizes, error check, driver calls
void writeState(CodeWriter& out, const Program& p); ///< the pipelines and other shared state
void writeKernels(CodeWriter& out, const Program& p);
void writeCalibration(CodeWriter& out, const Program& p);
void writeSetUp(CodeWriter& out, const Program& p);    ///< streams, buffers, events
void writeTearDown(CodeWriter& out, const Program& p); ///< frees what writeSetUp() took
void writeGate(CodeWriter& out, const Program& p);     ///< its state
void writeIssue(CodeWriter& out, const Program& p);    ///< one pass, all passes, the host's waits
void writeWindow(CodeWriter& out, const Program& p);   ///< gate, what is measured
void writeMain(CodeWriter& out, const Program& p);

/// One step of a pass, in the order of kSteps; each writes its lines, or none.
using Step = void (*)(CodeWriter& out, const Program& p);
void stepChainWait(CodeWriter& out, const Program& p);
void stepH2d(CodeWriter& out, const Program& p);
void stepMemset(CodeWriter& out, const Program& p);
void stepBeforeKernel(CodeWriter& out, const Program& p);
void stepKernel(CodeWriter& out, const Program& p);
void stepAfterKernel(CodeWriter& out, const Program& p);
void stepPeer(CodeWriter& out, const Program& p);
void stepD2h(CodeWriter& out, const Program& p);
void stepCallback(CodeWriter& out, const Program& p);
void stepChainRecord(CodeWriter& out, const Program& p);
/// After a pass (or a round of all streams), except the last.
void writeBetween(CodeWriter& out, const Program& p);
/// The host waits for `stream`, or for all with sync=device.
void writeSync(CodeWriter& out, const Program& p, std::string_view stream, Keys keys);
/// For the device, for each device, or for each stream in turn.
void writeSyncEach(CodeWriter& out, const Program& p, Keys keys);
/// With the device of `p` current, if there are several.
void writeSetDevice(CodeWriter& out, const Program& p);

} // namespace olab::code
