# install_package(TARGET NAME [NO_SOVERSION] DESCRIPTION text [REQUIRES name...] HEADERS file...): installs a library so that
# pkg-config NAME, and find_package(NAME) as NAME::NAME, find it wherever the installation is moved to. REQUIRES names packages
# of this kind that its headers include, or it is linked with. NO_SOVERSION: libNAME.so is all there is, and its soname.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(PACKAGE_TEMPLATES ${CMAKE_CURRENT_LIST_DIR})

function(install_package target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "NO_SOVERSION" "DESCRIPTION" "REQUIRES;HEADERS")
    set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
    set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    set(built ${CMAKE_CURRENT_BINARY_DIR}/package)
    file(RELATIVE_PATH to_headers ${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder} ${CMAKE_INSTALL_FULL_INCLUDEDIR})

    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    if(NOT arg_NO_SOVERSION)
        set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    endif()
    if(arg_REQUIRES)
        set_target_properties(${target} PROPERTIES INSTALL_RPATH $ORIGIN) # they lie beside it
    endif()
    add_library(${name}::${name} ALIAS ${target}) # here as elsewhere

    configure_file(${PACKAGE_TEMPLATES}/package.pc.in ${built}/${name}.pc @ONLY)
    configure_file(${PACKAGE_TEMPLATES}/package-config.cmake.in ${built}/${name}-config.cmake @ONLY)
    write_basic_package_version_file(${built}/${name}-config-version.cmake COMPATIBILITY SameMajorVersion)

    install(TARGETS ${target} EXPORT ${name}-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(FILES ${arg_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT ${name}-targets NAMESPACE ${name}:: DESTINATION ${cmake_folder})
    install(FILES ${built}/${name}-config.cmake ${built}/${name}-config-version.cmake DESTINATION ${cmake_folder})
    install(FILES ${built}/${name}.pc DESTINATION ${pkgconfig_folder})
endfunction()
