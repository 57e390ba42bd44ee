# pt2e::torch, an imported target for LibTorch >= 2.6: the distribution's or the CPU wheel's.
#
# LibTorch's own package file is not used: it looks for CUDA, MKL and more that a program which calls
# ATen does not need, prints warnings about them, and sets flags for the whole project.

set(PT2E_TORCH_MINIMUM 2.6)
set(PT2E_TORCH_ROOT
    ""
    CACHE PATH "Where LibTorch is (holds include/ and lib/); empty: the bootstrap's or the system's")

set(_roots ${PT2E_TORCH_ROOT} ${PT2E_BOOTSTRAP_TORCH_ROOT})
if(Torch_DIR)
  get_filename_component(_root "${Torch_DIR}/../../.." ABSOLUTE)
  list(APPEND _roots "${_root}")
endif()
set(_first "")
if(_roots)
  list(GET _roots 0 _first)
endif()
if(NOT "${_first}" STREQUAL "${PT2E_TORCH_ROOT_USED}")
  # Another LibTorch than last time: what was found before does not count.
  unset(PT2E_TORCH_INCLUDE CACHE)
  unset(PT2E_TORCH_LIBRARY CACHE)
  unset(PT2E_TORCH_CPU_LIBRARY CACHE)
  unset(PT2E_TORCH_C10_LIBRARY CACHE)
endif()
set(PT2E_TORCH_ROOT_USED "${_first}" CACHE INTERNAL "")

if(_first)
  set(_where PATHS ${_roots} NO_DEFAULT_PATH)
else()
  set(_where "")
endif()
find_path(PT2E_TORCH_INCLUDE ATen/ATen.h PATH_SUFFIXES include ${_where})
find_library(PT2E_TORCH_LIBRARY torch PATH_SUFFIXES lib ${_where})
find_library(PT2E_TORCH_CPU_LIBRARY torch_cpu PATH_SUFFIXES lib ${_where})
find_library(PT2E_TORCH_C10_LIBRARY c10 PATH_SUFFIXES lib ${_where})
mark_as_advanced(PT2E_TORCH_INCLUDE PT2E_TORCH_LIBRARY PT2E_TORCH_CPU_LIBRARY
                 PT2E_TORCH_C10_LIBRARY)
foreach(_part INCLUDE LIBRARY CPU_LIBRARY C10_LIBRARY)
  pt2e_require("LibTorch (${_part})" "libtorch-dev, version ${PT2E_TORCH_MINIMUM} or newer"
               "${PT2E_TORCH_${_part}}")
endforeach()

# 2.8 and newer keep the numbers in headeronly/, older ones in csrc/api.
set(PT2E_TORCH_VERSION "")
foreach(_header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
  if(EXISTS "${PT2E_TORCH_INCLUDE}/${_header}")
    file(STRINGS "${PT2E_TORCH_INCLUDE}/${_header}" _lines
         REGEX "^#define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
    if(_lines)
      string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
      string(REPLACE ";" "." PT2E_TORCH_VERSION "${_numbers}")
      break()
    endif()
  endif()
endforeach()
if(NOT PT2E_TORCH_VERSION OR PT2E_TORCH_VERSION VERSION_LESS PT2E_TORCH_MINIMUM)
  message(
    FATAL_ERROR
      "LibTorch at ${PT2E_TORCH_INCLUDE} is '${PT2E_TORCH_VERSION}', needed is "
      "${PT2E_TORCH_MINIMUM} or newer.\n${PT2E_BOOTSTRAP_HINT}\n"
      "Or give another one: -DPT2E_TORCH_ROOT=<folder with include/ and lib/>.")
endif()
message(STATUS "LibTorch ${PT2E_TORCH_VERSION}")

add_library(pt2e::torch INTERFACE IMPORTED)
set_target_properties(
  pt2e::torch
  PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES
    "${PT2E_TORCH_INCLUDE};${PT2E_TORCH_INCLUDE}/torch/csrc/api/include"
    # libtorch.so only ties libtorch_cpu.so to its name; nothing else refers to it.
    INTERFACE_LINK_LIBRARIES "${PT2E_TORCH_CPU_LIBRARY};${PT2E_TORCH_C10_LIBRARY}")
get_filename_component(PT2E_TORCH_LIBRARY_DIR "${PT2E_TORCH_CPU_LIBRARY}" DIRECTORY)
unset(_roots)
unset(_root)
unset(_first)
unset(_where)
