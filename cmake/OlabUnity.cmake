# Unity builds: with -DOLAB_UNITY=ON (run.sh and test.sh) the compiler reads eight sources of a target at once, which parses what
# they include once instead of eight times: a quarter of the processor time of a clean build. Sources are written to stand alone all
# the same, and without the option each is compiled alone.
#
# A unity build puts the unnamed namespaces of its sources into one. olab_compile_alone(SOURCES...) leaves out sources whose own
# names others of the target have too, such as the commands, which are all shaped alike; call it where the target is made.
option(OLAB_UNITY "Compile several sources at once: a clean build takes a quarter of the time, a changed file more" OFF)

function(olab_unity target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${OLAB_UNITY} UNITY_BUILD_BATCH_SIZE 8)
    if(OLAB_UNITY) # GCC takes unnamed namespaces of sources that it reads with others for those of headers
        target_compile_options(${target} PRIVATE
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
    endif()
endfunction()

function(olab_compile_alone)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
