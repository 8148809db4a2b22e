# Unity builds: with -DOLAB_UNITY=ON (run.sh and test.sh) the compiler reads about fifty sources of a target at once, which parses
# and instantiates what they include once instead of fifty times: less than half the processor time of a clean build. (With sixteen at
# once the window alone took a quarter more than with sixty-four.) Sources are written to stand alone all the same, and without the
# option each is compiled alone.
#
# A unity build puts the unnamed namespaces of its sources into one. Which sources go together follows from their names alone, so a
# new one changes no other group. Names of a source's own are therefore unlike those of its neighbours: a source that is compiled
# alone reads and instantiates for itself what the whole group needs once (with JSON three seconds). olab_compile_alone(SOURCES...)
# leaves out those that cannot, olab_compile_together(GROUP SOURCES...) makes a group of those that can be with each other only; call
# them where the target is made.
option(OLAB_UNITY "Compile several sources at once: a clean build takes a quarter of the time, a changed file more" OFF)

set(OLAB_UNITY_MOST 64 CACHE STRING "Sources that are compiled at once, on the average; fewer suit changing one after the other")

function(olab_unity target)
    if(NOT OLAB_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(LENGTH sources count)
    set(groups 1)
    while(count GREATER OLAB_UNITY_MOST) # so that it changes only when a target has doubled
        math(EXPR count "${count} / 2")
        math(EXPR groups "${groups} * 2")
    endwhile()
    foreach(source IN LISTS sources)
        string(REPLACE "${PROJECT_BINARY_DIR}/" "" name "${source}") # the same groups wherever the tree lies
        string(REPLACE "${PROJECT_SOURCE_DIR}/" "" name "${name}")
        string(MD5 hash "${name}")
        string(SUBSTRING ${hash} 0 4 hash)
        math(EXPR group "0x${hash} % ${groups}")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # GCC takes unnamed namespaces of sources that it reads with others for those of headers
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
endfunction()

function(olab_compile_together group) # SOURCES...
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
endfunction()

function(olab_compile_alone)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
