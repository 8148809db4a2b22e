// A module that probes load and unload (engine/cuda/probes/calls_loading.cpp); nothing launches its kernel.
extern "C" __global__ void olab_loaded_kernel(int* at) {
    *at = 1;
}
