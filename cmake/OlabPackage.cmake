# What is installed and where, and what cpack makes of it:
#   TGZ  runs on any glibc 2.36 or later: brings Qt, its xcb and offscreen plugins, a font and CUPTI, in lib/overlap-lab and
#        share/overlap-lab. Relocatable.
#   DEB  brings the programs only and depends on the distribution's Qt.
# What only the TGZ brings is the install component "bundle", which a plain `cmake --install` leaves out.
set(OLAB_SHARE ${CMAKE_INSTALL_DATADIR}/overlap-lab)
set(OLAB_PRIVATE_LIBRARIES lib/overlap-lab) # bin/../lib/overlap-lab, whatever this system calls its own folder of libraries
set(olab_resources ${PROJECT_SOURCE_DIR}/resources)

# --- programs: look beside themselves first. DT_RPATH and not DT_RUNPATH, for the bundled libraries need each other and name
# no folder themselves; it also keeps somebody's LD_LIBRARY_PATH from mixing in another Qt.
set(OLAB_OWN_QT OFF)
if(TARGET Qt6::Core)
    get_target_property(olab_qt Qt6::Core LOCATION)
    get_filename_component(olab_qt "${olab_qt}" DIRECTORY)
    if(NOT olab_qt IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
        set(OLAB_OWN_QT ON)
    endif()
endif()
function(olab_relocatable)
    foreach(target IN LISTS ARGN)
        if(TARGET ${target})
            set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../${OLAB_PRIVATE_LIBRARIES}")
            # Built with it, too: else cmake fills up the one in the build folder with empty entries, and those mean the folder
            # one happens to be in. Only a Qt of one's own has to be found by its folder.
            if(target STREQUAL olab OR NOT OLAB_OWN_QT)
                set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
            endif()
            target_link_options(${target} PRIVATE "LINKER:--disable-new-dtags")
        endif()
    endforeach()
endfunction()
olab_relocatable(olab overlap-lab)

# --- files that every kind of installation has
install(DIRECTORY ${olab_resources}/recordings/ DESTINATION ${OLAB_SHARE}/recordings FILES_MATCHING PATTERN "*.olab")
foreach(folder presets models)
    install(DIRECTORY ${olab_resources}/${folder}/ DESTINATION ${OLAB_SHARE}/${folder} OPTIONAL FILES_MATCHING PATTERN "*.json")
endforeach()
install(DIRECTORY ${olab_resources}/lessons/ DESTINATION ${OLAB_SHARE}/lessons FILES_MATCHING PATTERN "*.md" PATTERN "*.svg") # to learn from: they are built in
set(olab_doc ${CMAKE_INSTALL_DATADIR}/doc/overlap-lab)
foreach(page LICENSE NOTICE README.md DESIGN.md CONTRIBUTING.md CHANGELOG.md SECURITY.md)
    install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${olab_doc})
endforeach()
install(DIRECTORY ${olab_resources}/doc DESTINATION ${olab_doc}/resources FILES_MATCHING PATTERN "*.md")
install(FILES ${olab_resources}/claims/README.md DESTINATION ${olab_doc}/resources/claims) # a page links to it
install(DIRECTORY ${olab_resources}/screenshots DESTINATION ${olab_doc}/resources PATTERN "*.sh" EXCLUDE) # the pages show them by this path
install(FILES ${PROJECT_BINARY_DIR}/man/olab.1 DESTINATION ${CMAKE_INSTALL_DATADIR}/man/man1)
install(FILES ${olab_resources}/completion/olab.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME olab)
install(FILES ${olab_resources}/completion/_olab DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${olab_resources}/completion/olab.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
if(OLAB_HAVE_UI)
    install(FILES ${olab_resources}/man/overlap-lab.1 DESTINATION ${CMAKE_INSTALL_DATADIR}/man/man1)
    install(FILES ${olab_resources}/desktop/overlap-lab.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${olab_resources}/icons/overlap-lab.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
    install(FILES ${olab_resources}/desktop/overlap-lab.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
endif()

# Debian's own name and place of the same
install(FILES ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${olab_doc} RENAME copyright COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${olab_resources}/completion/_olab DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
        COMPONENT debian EXCLUDE_FROM_ALL)

# --- the bundle
# NVIDIA's EULA lists libcupti.so as distributable (Attachment A) with an application that is the only one to use it, unmodified
# (NOTICE has the conditions). Its text must be at hand to go with it.
option(OLAB_SHIP_CUPTI "Put CUPTI into the archive when the toolkit has it and the text of its licence" ON)
function(olab_find_cupti_to_ship)
    set(library libcupti.so.${CUDAToolkit_VERSION_MAJOR})
    find_file(OLAB_CUPTI_LIBRARY ${library} NO_DEFAULT_PATH
              PATHS ${CUDAToolkit_LIBRARY_DIR} ${olab_cuda_root}/lib64 ${olab_cuda_root}/extras/CUPTI/lib64)
    file(GLOB texts ${olab_cuda_root}/EULA.txt ${olab_cuda_root}/doc/EULA.txt
         ${olab_cuda_root}/dist-info/nvidia_cuda_cupti-*/licenses/License.txt
         /usr/share/doc/cuda-cupti-${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR}/copyright)
    foreach(text IN LISTS texts) # a copyright file may name the agreement only: the list of what is distributable must be in it
        file(STRINGS "${text}" listed REGEX "^ *libcupti\\.so" LIMIT_COUNT 1)
        if(listed)
            set(OLAB_CUPTI_LICENCE "${text}" CACHE FILEPATH "NVIDIA's licence, with CUPTI among the distributable portions")
            break()
        endif()
    endforeach()
    if(NOT OLAB_CUPTI_LIBRARY OR NOT OLAB_CUPTI_LICENCE)
        message(STATUS "An archive made here will have no CUPTI: ${library} or NVIDIA's licence text was not found in the toolkit")
    endif()
endfunction()
if(OLAB_HAVE_CUDA AND OLAB_SHIP_CUPTI)
    olab_find_cupti_to_ship()
endif()
set(OLAB_BUNDLED_CUPTI "")
if(OLAB_CUPTI_LIBRARY AND OLAB_CUPTI_LICENCE AND OLAB_SHIP_CUPTI)
    set(OLAB_BUNDLED_CUPTI "${OLAB_CUPTI_LIBRARY}")
endif()
set(OLAB_QT_PLUGINS "")
if(OLAB_HAVE_UI)
    set(OLAB_QT_PLUGINS "${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS}")
    find_path(OLAB_FONTS DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu NO_DEFAULT_PATH) # Debian's and Ubuntu's place
    install(FILES ${olab_resources}/desktop/qt.conf DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bundle EXCLUDE_FROM_ALL)
    install(FILES ${olab_resources}/desktop/fonts.conf DESTINATION ${OLAB_SHARE}/fonts COMPONENT bundle EXCLUDE_FROM_ALL)
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/OlabBundle.cmake.in ${PROJECT_BINARY_DIR}/OlabBundle.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/OlabBundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)

# --- cpack
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME overlap-lab)
set(CPACK_PACKAGE_VENDOR "the Overlap Lab authors")
set(CPACK_PACKAGE_CONTACT "The Overlap Lab authors <overlap-lab@example.invalid>") # Debian wants an address; there is none
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows whether CUDA copies and kernels overlap")
set(CPACK_PACKAGE_DESCRIPTION
"Runs or reads a CUDA pipeline of copies, memsets, kernels and callbacks, and
shows on a timeline what each hardware engine did and when, with a verdict for
each pair of operations and the reasons for what did not overlap. Brings a
window (overlap-lab), a command line (olab), a simulator and recordings of
real GPUs.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON) # what install(TARGETS) puts there; libraries of others stay as they are
set(CPACK_THREADS 0)
set(CPACK_PACKAGE_FILE_NAME "overlap-lab-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/OlabPackageKinds.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cuda-cupti-13-0") # NVIDIA's own package: a .deb must not put their library where all see it
include(CPack)

# --- tests of what is in the packages
if(OLAB_TESTS)
    set(olab_programs $<TARGET_FILE:olab>)
    if(OLAB_HAVE_UI)
        list(APPEND olab_programs $<TARGET_FILE:overlap-lab>)
    endif()
    set(olab_package_tests ${PROJECT_SOURCE_DIR}/tests/package)
    add_test(NAME test_man_pages COMMAND ${olab_package_tests}/man_test.sh ${PROJECT_BINARY_DIR}/man ${olab_programs})
    add_test(NAME test_completion
             COMMAND ${olab_package_tests}/completion_test.sh ${olab_resources}/completion/olab.bash $<TARGET_FILE:olab>
                     ${PROJECT_BINARY_DIR}/man/olab.1)
    add_test(NAME test_doc COMMAND ${olab_package_tests}/doc_test.sh $<TARGET_FILE:olab> ${olab_resources}/doc/cli.md)
    add_test(NAME test_layer_table COMMAND ${olab_package_tests}/layer_table_test.sh ${PROJECT_SOURCE_DIR})
    add_test(NAME test_names COMMAND ${olab_package_tests}/names_test.py ${PROJECT_SOURCE_DIR})
    add_test(NAME test_folders COMMAND ${olab_package_tests}/folders_test.py ${PROJECT_SOURCE_DIR})
    add_test(NAME test_mcp COMMAND ${olab_package_tests}/mcp_test.py $<TARGET_FILE:olab>)
    find_program(OLAB_NODE node) # with the protocol's own client, where it is
    if(OLAB_NODE)
        add_test(NAME test_mcp_client COMMAND ${OLAB_NODE} ${olab_package_tests}/mcp_client.mjs $<TARGET_FILE:olab>)
        set_tests_properties(test_mcp_client PROPERTIES LABELS package TIMEOUT 120 SKIP_RETURN_CODE 77)
    endif()
    if(NOT OLAB_SANITIZE) # Python loads the library, and a sanitizer wants to be there before Python is
        add_test(NAME test_python_reading COMMAND ${olab_package_tests}/python_reading_test.py $<TARGET_FILE:olab>
                                                  ${PROJECT_SOURCE_DIR}/app/python)
        set_tests_properties(test_python_reading PROPERTIES LABELS package TIMEOUT 120)
    endif()
    add_test(NAME test_python_places COMMAND ${olab_package_tests}/python_places_test.py ${PROJECT_SOURCE_DIR}/app/python)
    add_test(NAME test_install COMMAND ${olab_package_tests}/install_test.sh ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR})
    set_tests_properties(test_man_pages test_completion test_doc test_layer_table test_names test_folders test_mcp test_python_places
                         test_install
                         PROPERTIES LABELS package TIMEOUT 120 ENVIRONMENT QT_QPA_PLATFORM=offscreen)
endif()
