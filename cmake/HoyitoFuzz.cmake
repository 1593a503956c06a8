# What HOYITO_FUZZ needs: libFuzzer, which comes with clang's runtime libraries.

if(NOT BUILD_TESTING AND DEFINED BUILD_TESTING)
  message(FATAL_ERROR "HOYITO_FUZZ: the fuzzers are tests; leave BUILD_TESTING on")
endif()
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
check_c_source_compiles("
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return (int)(size * 0) * data[0]; }
" HOYITO_HAS_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT HOYITO_HAS_LIBFUZZER)
  message(FATAL_ERROR "HOYITO_FUZZ: ${CMAKE_C_COMPILER} cannot link with -fsanitize=fuzzer; "
    "install clang and its runtime (Debian: clang libclang-rt-dev) and use 'cmake --preset fuzz'")
endif()
