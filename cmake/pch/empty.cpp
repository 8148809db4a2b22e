// CMake compiles a set of precompiled headers for a target, and a target has a source.
