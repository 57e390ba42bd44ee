# The helpers that every folder's CMakeLists.txt uses.
#
#   pt2e_add_folder(<folder>)                                   add_subdirectory()
#   pt2e_core_library(<folder> SOURCES … [DEPS <folder> …] [LINK <library> …])
#   pt2e_torch_module(<name> SOURCES … [PCH <header>] [DEPS …] [LINK …])
#   pt2e_ui_library(<folder> SOURCES … [DEPS <folder> …] [LINK <library> …])
#   pt2e_program(<name> SOURCES … [QT] [DEPS …] [LINK …])
#   pt2e_test(<name> SOURCES … [DEPS …] [LINK …] [TIMEOUT <seconds>] [SERIAL] [LABELS …]
#             [ENVIRONMENT NAME=value …])          SERIAL: it measures time, so nothing runs beside it
#   pt2e_benchmark(<name> SOURCES … [DEPS …] [LINK …])
#   pt2e_fuzzer(<name> SOURCES … [DEPS …] [LINK …])             beside what it reads; preset fuzz
#
# SOURCES are relative to the calling CMakeLists.txt. DEPS are our own folders: `ir` or `core/ir` is
# core/ir, `engine/xnnpack` is core/engine/xnnpack, `ui/render` is ui/render; the target of core/ir
# is pt2e_ir, of core/engine/xnnpack pt2e_engine_xnnpack, of ui/render pt2e_ui_render. DEPS come with
# all that they depend on. LINK are libraries from elsewhere (fmt::fmt, Qt6::Widgets, pt2e::xnnpack,
# …) or targets by name. Headers are included by their place: #include "core/ir/graph.h".

# The order in which folders may use each other: each line only lines above it, and itself.
set(PT2E_LAYERS
    "base"
    "tensor"
    "ir"
    "kernels"
    "pt2|zoo|quant"
    "observers"
    "passes"
    "engine"
    "data"
    "metrics"
    "pipeline"
    "analysis"
    "view"
    "ui/render"
    "ui"
    "app")

# pt2e_layer_of(<variable> <folder>): the folder's line in PT2E_LAYERS.
function(pt2e_layer_of result folder)
  string(REGEX REPLACE "^core/" "" _folder "${folder}")
  if(NOT _folder MATCHES "^ui/render")
    string(REGEX REPLACE "/.*" "" _folder "${_folder}")
  endif()
  set(_index 0)
  foreach(_layer IN LISTS PT2E_LAYERS)
    if(_folder MATCHES "^(${_layer})$")
      set(${result} ${_index} PARENT_SCOPE)
      return()
    endif()
    math(EXPR _index "${_index} + 1")
  endforeach()
  message(FATAL_ERROR "${folder} is not one of our folders (PT2E_LAYERS in PT2ETargets.cmake)")
endfunction()

# pt2e_target_of(<variable> <folder>)
function(pt2e_target_of result folder)
  string(REGEX REPLACE "^core/" "" _name "${folder}")
  string(REPLACE "/" "_" _name "${_name}")
  set(${result} "pt2e_${_name}" PARENT_SCOPE)
endfunction()

# What all targets share; <owner> is the folder whose place in the order is checked, or "".
function(pt2e_setup_target target scope owner deps links)
  target_link_libraries(${target} PRIVATE pt2e_options)
  foreach(_dep IN LISTS deps)
    if(owner)
      pt2e_layer_of(_own "${owner}")
      pt2e_layer_of(_other "${_dep}")
      string(REGEX REPLACE "^core/|/.*" "" _ownTop "${owner}")
      string(REGEX REPLACE "^core/|/.*" "" _otherTop "${_dep}")
      if(_other GREATER _own OR (_other EQUAL _own AND NOT _ownTop STREQUAL _otherTop))
        message(FATAL_ERROR "${owner} must not use ${_dep}: it stands later in the order "
                            "(PT2E_LAYERS in PT2ETargets.cmake)")
      endif()
    endif()
    pt2e_target_of(_target "${_dep}")
    target_link_libraries(${target} ${scope} ${_target})
    set_property(GLOBAL APPEND PROPERTY PT2E_USES "${target}:${_target}")
  endforeach()
  if(links)
    target_link_libraries(${target} ${scope} ${links})
  endif()
endfunction()

function(pt2e_setup_qt target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOUIC OFF AUTORCC ON)
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_CAST_TO_ASCII
                                               QT_NO_CAST_FROM_BYTEARRAY QT_NO_FOREACH)
endfunction()

function(pt2e_add_folder folder)
  add_subdirectory(${folder})
endfunction()

# Called last: a library that DEPS names but nobody made would only be noticed by the linker.
function(pt2e_check_uses)
  get_property(_uses GLOBAL PROPERTY PT2E_USES)
  list(REMOVE_DUPLICATES _uses)
  foreach(_use IN LISTS _uses)
    string(REGEX REPLACE ".*:" "" _target "${_use}")
    if(NOT TARGET ${_target})
      string(REGEX REPLACE ":.*" "" _owner "${_use}")
      message(SEND_ERROR "${_owner} uses ${_target}, which no folder makes")
    endif()
  endforeach()
endfunction()

function(pt2e_core_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "" "" "SOURCES;DEPS;LINK")
  pt2e_check_arguments(pt2e_core_library)
  pt2e_target_of(_target "${folder}")
  add_library(${_target} STATIC ${_arg_SOURCES})
  pt2e_setup_target(${_target} PUBLIC "${folder}" "${_arg_DEPS}" "${_arg_LINK}")
endfunction()

# The one target that sees LibTorch: a module that is loaded at run time, never linked.
function(pt2e_torch_module name)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "" "PCH" "SOURCES;DEPS;LINK")
  pt2e_check_arguments(pt2e_torch_module)
  add_library(${name} MODULE ${_arg_SOURCES})
  set_target_properties(
    ${name}
    PROPERTIES PREFIX "lib"
               INSTALL_RPATH "$ORIGIN;${PT2E_TORCH_LIBRARY_DIR}"
               BUILD_RPATH "${PT2E_TORCH_LIBRARY_DIR}")
  pt2e_setup_target(${name} PRIVATE "kernels" "${_arg_DEPS}" "${_arg_LINK}")
  target_link_libraries(${name} PRIVATE pt2e::torch)
  target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL)
  if(_arg_PCH)
    # By its place, not its full path, which would differ from clone to clone.
    get_filename_component(_pch "${_arg_PCH}" ABSOLUTE)
    file(RELATIVE_PATH _pch "${PROJECT_SOURCE_DIR}" "${_pch}")
    target_precompile_headers(${name} PRIVATE "<${_pch}>")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # What ccache needs to work with a precompiled header.
      target_compile_options(${name} PRIVATE -fpch-preprocess)
    endif()
  endif()
  install(TARGETS ${name} LIBRARY DESTINATION "${PT2E_INSTALL_LIBDIR}")
endfunction()

function(pt2e_ui_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "" "" "SOURCES;DEPS;LINK")
  pt2e_check_arguments(pt2e_ui_library)
  pt2e_target_of(_target "${folder}")
  add_library(${_target} STATIC ${_arg_SOURCES})
  pt2e_setup_qt(${_target})
  pt2e_setup_target(${_target} PUBLIC "${folder}" "${_arg_DEPS}" "${_arg_LINK}")
endfunction()

function(pt2e_program name)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "QT" "" "SOURCES;DEPS;LINK")
  pt2e_check_arguments(pt2e_program)
  add_executable(${name} ${_arg_SOURCES})
  if(_arg_QT)
    pt2e_setup_qt(${name})
  endif()
  pt2e_setup_target(${name} PRIVATE "app" "${_arg_DEPS}" "${_arg_LINK}")
  # Same folders in the build tree and when installed: bin/NAME, and ../lib or ../lib/pt2e beside it.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../${PT2E_INSTALL_LIBDIR}")
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# A test program of QtTest, run by CTest from <build>/Testing without a display. The environment
# tells it where things are: PT2E_SOURCE_DIR, PT2E_TEST_DATA (tests/data), PT2E_BIN_DIR.
function(pt2e_test name)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "SERIAL" "TIMEOUT"
                        "SOURCES;DEPS;LINK;LABELS;ENVIRONMENT")
  pt2e_check_arguments(pt2e_test)
  if(NOT PT2E_TESTS)
    return()
  endif()
  add_executable(${name} ${_arg_SOURCES})
  pt2e_setup_qt(${name})
  pt2e_setup_target(${name} PRIVATE "" "${_arg_DEPS}" "${_arg_LINK}")
  target_link_libraries(${name} PRIVATE Qt6::Test)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/Testing")
  if(NOT _arg_TIMEOUT)
    set(_arg_TIMEOUT 300)
  endif()
  set_tests_properties(
    ${name}
    PROPERTIES TIMEOUT
               ${_arg_TIMEOUT}
               RUN_SERIAL
               ${_arg_SERIAL}
               LABELS
               "${_arg_LABELS}"
               ENVIRONMENT
               "QT_QPA_PLATFORM=offscreen;PT2E_SOURCE_DIR=${PROJECT_SOURCE_DIR};PT2E_TEST_DATA=${PROJECT_SOURCE_DIR}/tests/data;PT2E_BIN_DIR=${PROJECT_BINARY_DIR}/bin;${_arg_ENVIRONMENT}")
endfunction()

function(pt2e_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "" "" "SOURCES;DEPS;LINK")
  pt2e_check_arguments(pt2e_benchmark)
  if(NOT PT2E_BENCHMARKS)
    return()
  endif()
  add_executable(${name} ${_arg_SOURCES})
  pt2e_setup_target(${name} PRIVATE "" "${_arg_DEPS}" "${_arg_LINK}")
  target_link_libraries(${name} PRIVATE benchmark::benchmark)
endfunction()

function(pt2e_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "" "" "SOURCES;DEPS;LINK")
  pt2e_check_arguments(pt2e_fuzzer)
  if(NOT PT2E_FUZZERS)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "PT2E_FUZZERS needs clang: configure with CXX=clang++ CC=clang")
  endif()
  add_executable(${name} ${_arg_SOURCES})
  pt2e_setup_target(${name} PRIVATE "" "${_arg_DEPS}" "${_arg_LINK}")
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# Wrong words in a call are errors, not silently dropped sources.
macro(pt2e_check_arguments function)
  if(_arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: not understood: ${_arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT _arg_SOURCES)
    message(FATAL_ERROR "${function}: no SOURCES")
  endif()
endmacro()

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/Testing")
