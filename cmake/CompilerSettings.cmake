# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How everything of ours is compiled: language, warnings, sanitizers, the version (compiler_settings).
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)

add_library(compiler_settings INTERFACE)
target_compile_definitions(compiler_settings
  INTERFACE STORPROTOTRACE_VERSION="${PROJECT_VERSION}")
# C++ calls it shadowing when a function has the name of a struct, as it may in C. Members that an
# initializer leaves out are zero, and meant to be.
target_compile_options(compiler_settings
  INTERFACE -Wall -Wextra -Wformat=2 -Wno-missing-field-initializers
            $<$<COMPILE_LANGUAGE:C>:-Wshadow>
            $<$<BOOL:${STORPROTOTRACE_WERROR}>:-Werror>)
if(SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(compiler_settings INTERFACE ${sanitizers})
  target_link_options(compiler_settings INTERFACE ${sanitizers})
endif()
