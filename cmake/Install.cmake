# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is installed: program and, for C programs, library, headers, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)

set(public_headers
    common/common.h common/event.h common/filter.h common/group.h common/lat_hist.h common/options.h
    common/reading.h common/session.h common/session_turn.h common/stage.h common/sums.h
    iscsi_bpf/iscsi_stats_ebpf.h)
foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/storprototrace/${folder})
endforeach()

install(TARGETS storprototrace RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(TARGETS libstorprototrace EXPORT storprototrace
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/storprototrace)
configure_package_config_file(cmake/storprototraceConfig.cmake.in storprototraceConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(storprototraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/storprototraceConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/storprototraceConfigVersion.cmake
        DESTINATION ${package_folder})
install(EXPORT storprototrace NAMESPACE storprototrace:: DESTINATION ${package_folder}
        FILE storprototraceTargets.cmake)

# Folders relative to the file itself, so that `cmake --install --prefix` may choose another place.
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})
cmake_path(APPEND libdir_in_pkgconfig "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND includedir_in_pkgconfig "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/storprototrace.pc.in storprototrace.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/storprototrace.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
