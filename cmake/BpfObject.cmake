# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bpf_object(NAME SOURCE): compiles a BPF program and makes its skeleton, NAME.skel.h, available.
#
# The build host's kernel and its BTF play no part: kernel types come from the sources' own headers.

find_program(CLANG NAMES clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16
                         clang-15 clang-14 REQUIRED
             DOC "clang that compiles BPF, 14 or later")

# Ubuntu's /usr/sbin/bpftool is a wrapper that refuses to work when the running kernel has no tools
# package; the program itself is below /usr/lib then.
function(find_bpftool)
  find_program(BPFTOOL_IN_PATH bpftool PATHS /usr/sbin /sbin /usr/local/sbin NO_CACHE)
  file(GLOB others /usr/lib/linux-tools/*/bpftool /usr/lib/linux-tools-*/bpftool)
  foreach(candidate ${BPFTOOL_IN_PATH} ${others})
    execute_process(COMMAND ${candidate} version RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(BPFTOOL ${candidate} CACHE FILEPATH "bpftool that makes skeletons")
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "bpftool is missing; ./install-deps.sh --for build installs it")
endfunction()

function(check_clang)
  execute_process(COMMAND ${CLANG} --version OUTPUT_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT text MATCHES "clang version ([0-9]+)")
    message(FATAL_ERROR "${CLANG} does not say its version")
  elseif(CMAKE_MATCH_1 LESS 14)
    message(FATAL_ERROR "${CLANG} is version ${CMAKE_MATCH_1}; BPF needs 14 or later")
  endif()
endfunction()

# With -target bpf clang forgets where the host's headers are (<asm/types.h> on Debian).
function(find_system_headers out)
  execute_process(COMMAND ${CLANG} -v -E -x c /dev/null OUTPUT_QUIET ERROR_VARIABLE text
                  RESULT_VARIABLE result)
  if(NOT result EQUAL 0
     OR NOT text MATCHES "#include <\\.\\.\\.> search starts here:\n(.*)\nEnd of search list")
    message(FATAL_ERROR "${CLANG} does not say where it looks for headers")
  endif()
  string(REGEX REPLACE "\n *" ";" folders "${CMAKE_MATCH_1}")
  set(flags)
  foreach(folder ${folders})
    string(STRIP "${folder}" folder)
    list(APPEND flags -idirafter ${folder})
  endforeach()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

function(bpf_target_arch out)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(${out} x86 PARENT_SCOPE)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(${out} arm64 PARENT_SCOPE)
  else()
    message(FATAL_ERROR "no BPF argument layout known for ${CMAKE_SYSTEM_PROCESSOR}")
  endif()
endfunction()

if(NOT BPFTOOL)
  find_bpftool()
endif()
check_clang()
find_system_headers(bpf_system_headers)
bpf_target_arch(bpf_arch)

function(bpf_object name source)
  set(full ${CMAKE_CURRENT_BINARY_DIR}/${name}.full.bpf.o)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.bpf.o)
  set(skeleton ${CMAKE_CURRENT_BINARY_DIR}/${name}.skel.h)
  set(werror $<$<BOOL:${STORPROTOTRACE_WERROR}>:-Werror>)
  set(libbpf_headers ${STORPROTOTRACE_NEEDS_libbpf_INCLUDEDIR})
  add_custom_command(OUTPUT ${full}
    COMMAND ${CLANG} -target bpf -D__TARGET_ARCH_${bpf_arch} -mcpu=v3 -O2 -g -std=gnu11
            -Wall -Wextra -Wshadow -Wno-unused-parameter ${werror}
            -I ${CMAKE_CURRENT_SOURCE_DIR} "$<$<BOOL:${libbpf_headers}>:-idirafter;${libbpf_headers}>"
            ${bpf_system_headers} -MMD -MF ${full}.d
            -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${full}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPFILE ${full}.d
    COMMENT "Compiling ${source} for BPF" COMMAND_EXPAND_LISTS VERBATIM)
  # Linking one object into another drops the DWARF and keeps the BTF.
  add_custom_command(OUTPUT ${object}
    COMMAND ${BPFTOOL} gen object ${object}.new ${full}
    COMMAND ${CMAKE_COMMAND} -E rename ${object}.new ${object}
    DEPENDS ${full} COMMENT "Linking ${name}.bpf.o" VERBATIM)
  # A bpftool that fails must not leave a truncated header that looks up to date.
  add_custom_command(OUTPUT ${skeleton}
    COMMAND ${BPFTOOL} gen skeleton ${object} name ${name}_bpf > ${skeleton}.new
    COMMAND ${CMAKE_COMMAND} -E rename ${skeleton}.new ${skeleton}
    DEPENDS ${object} COMMENT "Making ${name}.skel.h" VERBATIM)
  add_custom_target(${name}_skeleton_file DEPENDS ${skeleton})
  add_library(${name}_skeleton INTERFACE)
  # SYSTEM: the generated header is not ours to be warned about.
  target_include_directories(${name}_skeleton SYSTEM INTERFACE ${CMAKE_CURRENT_BINARY_DIR})
  add_dependencies(${name}_skeleton ${name}_skeleton_file)
endfunction()
