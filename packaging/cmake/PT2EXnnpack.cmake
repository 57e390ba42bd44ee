# pt2e::xnnpack, an imported target for XNNPACK >= 2024-11-08: the distribution's shared library, or
# the bootstrap's static one with hidden symbols.

set(PT2E_XNNPACK_ROOT
    ""
    CACHE PATH "Where XNNPACK is (holds include/ and lib/); empty: the bootstrap's or the system's")

set(_roots ${PT2E_XNNPACK_ROOT} ${PT2E_BOOTSTRAP_XNNPACK_ROOT})
set(_first "")
if(_roots)
  list(GET _roots 0 _first)
endif()
if(NOT "${_first}" STREQUAL "${PT2E_XNNPACK_ROOT_USED}")
  foreach(_part INCLUDE LIBRARY MICROKERNELS PTHREADPOOL CPUINFO)
    unset(PT2E_XNNPACK_${_part} CACHE)
  endforeach()
endif()
set(PT2E_XNNPACK_ROOT_USED "${_first}" CACHE INTERNAL "")

if(_first)
  set(_where PATHS ${_roots} NO_DEFAULT_PATH)
else()
  set(_where "")
endif()
find_path(PT2E_XNNPACK_INCLUDE xnnpack.h PATH_SUFFIXES include ${_where})
find_library(PT2E_XNNPACK_LIBRARY XNNPACK PATH_SUFFIXES lib ${_where})
find_library(PT2E_XNNPACK_PTHREADPOOL pthreadpool PATH_SUFFIXES lib ${_where})
find_library(PT2E_XNNPACK_CPUINFO cpuinfo PATH_SUFFIXES lib ${_where})
find_library(PT2E_XNNPACK_MICROKERNELS NAMES xnnpack-microkernels-prod microkernels-prod
             PATH_SUFFIXES lib ${_where})
mark_as_advanced(PT2E_XNNPACK_INCLUDE PT2E_XNNPACK_LIBRARY PT2E_XNNPACK_MICROKERNELS
                 PT2E_XNNPACK_PTHREADPOOL PT2E_XNNPACK_CPUINFO)
pt2e_require("XNNPACK's header" "libxnnpack-dev 0.0~git20241108 or newer" "${PT2E_XNNPACK_INCLUDE}")
pt2e_require("XNNPACK" "libxnnpack-dev 0.0~git20241108 or newer" "${PT2E_XNNPACK_LIBRARY}")
pt2e_require("pthreadpool" "libpthreadpool-dev" "${PT2E_XNNPACK_PTHREADPOOL}")

# XNNPACK has no version number; xnn_define_unary() came shortly before the oldest one we use.
file(STRINGS "${PT2E_XNNPACK_INCLUDE}/xnnpack.h" _unary REGEX "xnn_define_unary\\(")
if(NOT _unary)
  message(
    FATAL_ERROR
      "XNNPACK at ${PT2E_XNNPACK_INCLUDE} is older than 2024-11-08 (no xnn_define_unary), and too "
      "old to use.\n${PT2E_BOOTSTRAP_HINT}\n"
      "Or give another one: -DPT2E_XNNPACK_ROOT=<folder with include/ and lib/>.")
endif()

add_library(pt2e::xnnpack INTERFACE IMPORTED)
set_target_properties(pt2e::xnnpack PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                               "${PT2E_XNNPACK_INCLUDE}")
set(_libraries "${PT2E_XNNPACK_LIBRARY}")
if(PT2E_XNNPACK_LIBRARY MATCHES "\\.a$")
  # The shared one brings its own.
  pt2e_require("XNNPACK's microkernels" "libxnnpack-dev" "${PT2E_XNNPACK_MICROKERNELS}")
  pt2e_require("cpuinfo" "libcpuinfo-dev" "${PT2E_XNNPACK_CPUINFO}")
  list(APPEND _libraries "${PT2E_XNNPACK_MICROKERNELS}" "${PT2E_XNNPACK_PTHREADPOOL}"
       "${PT2E_XNNPACK_CPUINFO}")
else()
  list(APPEND _libraries "${PT2E_XNNPACK_PTHREADPOOL}")
endif()
list(APPEND _libraries Threads::Threads ${CMAKE_DL_LIBS} m)
set_target_properties(pt2e::xnnpack PROPERTIES INTERFACE_LINK_LIBRARIES "${_libraries}")
if(PT2E_XNNPACK_LIBRARY MATCHES "\\.a$")
  # LibTorch exports pthreadpool symbols of its own; ours must not meet them.
  set_target_properties(pt2e::xnnpack PROPERTIES INTERFACE_LINK_OPTIONS
                                                 "LINKER:--exclude-libs,ALL")
endif()
unset(_roots)
unset(_first)
unset(_where)
unset(_unary)
unset(_libraries)
