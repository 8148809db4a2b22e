// An invalid launch: which call reports it. Source text 001 advises against omitting the check.
#include "probe_tools.h"

namespace olab::cuda::probes {

void probeErrors(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    cudaGetLastError();
    kernels::launchImpossible(stream.get());
    numbers.add("bad_launch.later_sync.error", cudaStreamSynchronize(stream.get()));
    numbers.add("bad_launch.last_error", cudaGetLastError());
    numbers.add("bad_launch.last_error_again", cudaGetLastError());
    numbers.add("good_launch.last_error", [&] {
        Spin kernel(kUs);
        kernel.launch(stream.get());
        idle();
        return cudaGetLastError();
    }());
}

} // namespace olab::cuda::probes
