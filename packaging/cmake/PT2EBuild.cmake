# How our own code is compiled: language, warnings, sanitizers, ccache, where results go.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

include(GNUInstallDirs)
# Programs find what they load at run time relative to themselves; see pt2e_program().
set(PT2E_INSTALL_LIBDIR "lib/pt2e")
set(PT2E_INSTALL_DATADIR "share/pt2e")

# Options of all our targets. Linked PRIVATE by every helper, so that they never reach a
# dependency and no dependency's flags reach us.
add_library(pt2e_options INTERFACE)
target_include_directories(pt2e_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(
  pt2e_options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wimplicit-fallthrough
            -Wvla
            # The same object wherever the checkout stands: ccache then works across clones.
            "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=."
            # Numbers must not depend on whether the compiler fuses a multiply with an add.
            -ffp-contract=off)
if(PT2E_WERROR)
  target_compile_options(pt2e_options INTERFACE -Werror)
  # False alarms of GCC's optimizer in standard headers.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(
      pt2e_options
      INTERFACE -Wno-error=restrict -Wno-maybe-uninitialized -Wno-error=array-bounds
                -Wno-error=stringop-overflow -Wno-error=stringop-overread
                -Wno-error=free-nonheap-object)
  endif()
endif()
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  # Asserts stay on in the developers' builds.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")
endif()

if(PT2E_SANITIZE)
  target_compile_options(pt2e_options INTERFACE "-fsanitize=${PT2E_SANITIZE}"
                                                -fno-omit-frame-pointer)
  if(PT2E_SANITIZE MATCHES "undefined")
    target_compile_options(pt2e_options INTERFACE -fno-sanitize-recover=undefined)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(
        pt2e_options
        INTERFACE "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/packaging/ubsan.ignore")
    endif()
  endif()
  target_link_options(pt2e_options INTERFACE "-fsanitize=${PT2E_SANITIZE}")
endif()

if(PT2E_FUZZERS)
  # Coverage that libFuzzer steers by; its main() comes in with pt2e_fuzzer().
  target_compile_options(pt2e_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(PT2E_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(PT2E_CCACHE_PROGRAM ccache)
  mark_as_advanced(PT2E_CCACHE_PROGRAM)
  if(PT2E_CCACHE_PROGRAM)
    # Paths below the checkout are hashed relative to the build folder and the working directory
    # is not hashed: a fresh clone elsewhere finds what another clone compiled.
    set(_launcher
        env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        "${PT2E_CCACHE_PROGRAM}")
    set(CMAKE_C_COMPILER_LAUNCHER ${_launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${_launcher})
    unset(_launcher)
  endif()
endif()
