// Stands for what a profiler loads into the programs it watches: only its name matters.
extern "C" int InitializeInjection() {
    return 1;
}
