# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Manual page and the shells' completion: templates in doc/, filled from the program's own tables; the other pages as they are.
file(GLOB generate_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/doc/generate/*.c)
add_executable(generate ${generate_sources})
target_link_libraries(generate PRIVATE compiler_settings libstorprototrace)

# document(TEMPLATE NAME FOLDER): NAME is made in the build folder's doc/ and installed in FOLDER.
set(documents)
function(document template name folder)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/doc/${name})
  add_custom_command(
    OUTPUT ${made}
    COMMAND generate ${CMAKE_CURRENT_SOURCE_DIR}/doc/${template} ${made}
    DEPENDS generate ${CMAKE_CURRENT_SOURCE_DIR}/doc/${template}
    VERBATIM)
  list(APPEND documents ${made})
  set(documents ${documents} PARENT_SCOPE)
  install(FILES ${made} DESTINATION ${folder})
endfunction()

file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/doc)
document(storprototrace.8.in storprototrace.8 ${CMAKE_INSTALL_MANDIR}/man8)
# Both are named as the shells look for them.
document(completion.bash.in storprototrace ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
document(completion.zsh.in _storprototrace ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
add_custom_target(documents ALL DEPENDS ${documents})

file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/doc/*.md ${CMAKE_CURRENT_SOURCE_DIR}/doc/*.svg)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR})
