# Builds for arm64 on another machine, with the packages of the system that HOYITO_SYSROOT names
# (scripts/digests makes one); tests and programs run under qemu-user.
#
#   cmake -S . -B build/arm64 -G Ninja --toolchain cmake/aarch64.cmake -DHOYITO_SYSROOT=FOLDER
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(HOYITO_SYSROOT "" CACHE PATH "Folder with the arm64 packages of scripts/packages, unpacked")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HOYITO_SYSROOT)
set(CMAKE_SYSROOT "${HOYITO_SYSROOT}")
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
endif()
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH "${HOYITO_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${HOYITO_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
  "${HOYITO_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${HOYITO_SYSROOT}/usr/share/pkgconfig")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${HOYITO_SYSROOT}")
