# Read by cpack before each kind of package (CPACK_PROJECT_CONFIG_FILE). "ALL" leaves out the components that are
# EXCLUDE_FROM_ALL, so what only one kind has is asked for by its name.
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 olab_build_folder)
list(GET CPACK_INSTALL_CMAKE_PROJECTS 1 olab_project)
set(olab_extra bundle)
if(CPACK_GENERATOR STREQUAL "DEB")
    set(olab_extra debian)
endif()
set(CPACK_INSTALL_CMAKE_PROJECTS "${olab_build_folder};${olab_project};ALL;/" "${olab_build_folder};${olab_project};${olab_extra};/")
