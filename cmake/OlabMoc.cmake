# olab_automoc(TARGET): as AUTOMOC, but moc gets no folders of headers. All that it has to know of a class stands in the header of that
# class; with the folders it reads Qt and the standard library for each header again: fifty times the work, and what it writes differs
# only in includes that Qt's own headers ask for.
function(olab_automoc target)
    set_target_properties(${target} PROPERTIES AUTOMOC ON)
    if(CMAKE_HOST_UNIX)
        get_target_property(OLAB_MOC Qt6::moc LOCATION)
        configure_file("${PROJECT_SOURCE_DIR}/cmake/moc.sh.in" "${PROJECT_BINARY_DIR}/moc.sh" @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
        set_target_properties(${target} PROPERTIES AUTOMOC_EXECUTABLE "${PROJECT_BINARY_DIR}/moc.sh")
    endif()
endfunction()
