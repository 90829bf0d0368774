# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tests as ctest sees them: labels unit (no privilege), cli (the program), lab (real kernels), full (lab, long).
# Exit status 77 is a skip; its reason is the test's output.

# What scripts get to know. The lab hands STORPROTOTRACE_* on to its guests.
set(test_environment
    STORPROTOTRACE_SOURCE=${CMAKE_CURRENT_SOURCE_DIR}
    STORPROTOTRACE_BUILD=${CMAKE_CURRENT_BINARY_DIR}
    STORPROTOTRACE_BINARY=${CMAKE_CURRENT_BINARY_DIR}/storprototrace)

function(script_tests label timeout)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/${label}/*.sh)
  foreach(script ${scripts})
    cmake_path(GET script STEM name)
    add_test(NAME ${label}/${name} COMMAND bash ${script})
    set_tests_properties(${label}/${name} PROPERTIES LABELS ${label} TIMEOUT ${timeout}
                         SKIP_RETURN_CODE 77 ENVIRONMENT "${test_environment}")
    # A guest keeps two processors busy: one at a time, and nothing beside it.
    if(label MATCHES "^(lab|full)$")
      set_tests_properties(${label}/${name} PROPERTIES RUN_SERIAL ON)
    endif()
  endforeach()
endfunction()

function(unit_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*_check.cpp)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    target_compile_features(${name} PRIVATE cxx_std_17)
    target_link_libraries(${name} PRIVATE compiler_settings libstorprototrace GTest::gtest_main)
    add_test(NAME unit/${name} COMMAND ${name})
    set_tests_properties(unit/${name} PROPERTIES LABELS unit TIMEOUT 120 SKIP_RETURN_CODE 77
                         ENVIRONMENT "${test_environment}")
  endforeach()
endfunction()

include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  find_package(GTest)
endif()
if(GTest_FOUND)
  unit_tests()
else()
  message(WARNING "no C++ compiler or no GoogleTest: the unit tests are left out")
  add_test(NAME unit COMMAND sh -c "echo 'skipped: GoogleTest was not found'; exit 77")
  set_tests_properties(unit PROPERTIES LABELS unit SKIP_RETURN_CODE 77)
endif()
script_tests(cli 600)
script_tests(lab 1500)
if(STORPROTOTRACE_FULL_TESTS)
  script_tests(full 3600)
endif()
