# Finds everything that core needs. What is missing is named, with what to do.

set(PT2E_BOOTSTRAP_HINT
    "Run packaging/bootstrap: it installs what is missing and says so; then configure again.")

# packaging/bootstrap writes a file with the places of what it made for this user. Its name holds
# the hash of the bootstrap, so that another checkout with other versions has its own.
if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(_cache "$ENV{XDG_CACHE_HOME}/pt2e-workbench")
else()
  set(_cache "$ENV{HOME}/.cache/pt2e-workbench")
endif()
file(SHA256 "${PROJECT_SOURCE_DIR}/packaging/bootstrap" _recipe)
set_property(
  DIRECTORY
  APPEND
  PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/packaging/bootstrap")
string(SUBSTRING "${_recipe}" 0 12 _recipe)
set(PT2E_DEPS_FILE
    ""
    CACHE FILEPATH "File with the places of the dependencies; empty: what packaging/bootstrap wrote")
set(_deps "${PT2E_DEPS_FILE}")
if(NOT _deps)
  set(_deps "${_cache}/deps-${_recipe}.cmake")
endif()
if(EXISTS "${_deps}")
  # Sets PT2E_BOOTSTRAP_TORCH_ROOT and PT2E_BOOTSTRAP_XNNPACK_ROOT, empty for the system's own.
  include("${_deps}")
elseif(PT2E_DEPS_FILE)
  message(FATAL_ERROR "PT2E_DEPS_FILE: no such file: ${PT2E_DEPS_FILE}")
else()
  message(STATUS "packaging/bootstrap has not run yet, or has changed since; "
                 "looking for the dependencies without it")
endif()
unset(_cache)
unset(_recipe)
unset(_deps)

# pt2e_require(<what> <package of Debian> <found?>)
function(pt2e_require what package found)
  if(NOT found)
    message(FATAL_ERROR "${what} was not found (Debian: ${package}).\n${PT2E_BOOTSTRAP_HINT}")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(fmt QUIET)
pt2e_require("fmt" "libfmt-dev" "${fmt_FOUND}")
find_package(tl-expected QUIET)
pt2e_require("tl::expected" "libexpected-dev" "${tl-expected_FOUND}")
find_package(CLI11 QUIET)
pt2e_require("CLI11" "libcli11-dev" "${CLI11_FOUND}")
find_package(ZLIB QUIET)
pt2e_require("zlib" "zlib1g-dev" "${ZLIB_FOUND}")
find_package(PNG QUIET)
pt2e_require("libpng" "libpng-dev" "${PNG_FOUND}")
find_package(JPEG QUIET)
pt2e_require("libjpeg-turbo" "libjpeg62-turbo-dev" "${JPEG_FOUND}")
if(PT2E_BENCHMARKS)
  find_package(benchmark QUIET)
  pt2e_require("Google Benchmark" "libbenchmark-dev" "${benchmark_FOUND}")
endif()

# RapidJSON's own package file sets variables only.
find_path(PT2E_RAPIDJSON_INCLUDE rapidjson/document.h)
mark_as_advanced(PT2E_RAPIDJSON_INCLUDE)
pt2e_require("RapidJSON" "rapidjson-dev" "${PT2E_RAPIDJSON_INCLUDE}")
add_library(pt2e::rapidjson INTERFACE IMPORTED)
set_target_properties(pt2e::rapidjson PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                 "${PT2E_RAPIDJSON_INCLUDE}")

include(PT2ETorch)
include(PT2EXnnpack)
