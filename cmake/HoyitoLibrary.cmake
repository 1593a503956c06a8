# How a library and a test of this project are built.

# A multiplication and an addition in one round once and not twice, where the processor has that: results would
# depend on it. scripts/digests shows so.
set(HOYITO_CONTRACT off CACHE STRING "Fused multiplication and addition: off, or fast")
mark_as_advanced(HOYITO_CONTRACT)

add_library(hy_options INTERFACE)
target_include_directories(hy_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_compile_definitions(hy_options INTERFACE _DEFAULT_SOURCE _GNU_SOURCE)
target_compile_options(hy_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch-enum -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wformat=2 -fno-common
  -ffp-contract=${HOYITO_CONTRACT})
if(HOYITO_WERROR)
  target_compile_options(hy_options INTERFACE -Werror)
endif()
if(HOYITO_SANITIZE)
  target_compile_options(hy_options INTERFACE
    -fsanitize=${HOYITO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hy_options INTERFACE -fsanitize=${HOYITO_SANITIZE})
endif()
if(HOYITO_FUZZ)
  target_compile_options(hy_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(HOYITO_COVERAGE)
  target_compile_options(hy_options INTERFACE --coverage)
  target_link_options(hy_options INTERFACE --coverage)
endif()

# hoyito_library(NAME SOURCES a.c b.c USES base rules PACKAGES PkgConfig::GSL)
#
# Makes the static library hy_NAME of the folder src/NAME. USES names the libraries directly below
# it, as cmake/layers.txt allows; PACKAGES the packages from outside.
function(hoyito_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;PACKAGES" ${ARGN})
  add_library(hy_${name} STATIC ${ARG_SOURCES})
  list(TRANSFORM ARG_USES PREPEND hy_)
  target_link_libraries(hy_${name} PUBLIC hy_options ${ARG_USES} ${ARG_PACKAGES})
endfunction()

# hoyito_test(FOLDER NAME [LIBRARY store] [SOURCES more.c] [PACKAGES PkgConfig::JANSSON] [LABELS slow])
#
# Builds tests/FOLDER/test_NAME.c, linked with the library hy_FOLDER (or hy_LIBRARY) alone, and adds
# it to ctest.
function(hoyito_test folder name)
  cmake_parse_arguments(ARG "" "LIBRARY" "SOURCES;PACKAGES;LABELS" ${ARGN})
  if(NOT ARG_LIBRARY)
    set(ARG_LIBRARY ${folder})
  endif()
  set(target test_${folder}_${name})
  add_executable(${target} ${folder}/test_${name}.c ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_definitions(${target} PRIVATE
    HOYITO_GOLDEN="${HOYITO_GOLDEN}" HOYITO_SOURCE="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE hy_${ARG_LIBRARY} PkgConfig::CMOCKA ${ARG_PACKAGES})
  add_test(NAME ${folder}/${name} COMMAND ${target})
  set_tests_properties(${folder}/${name} PROPERTIES LABELS "unit;${ARG_LABELS}" TIMEOUT 300)
endfunction()
