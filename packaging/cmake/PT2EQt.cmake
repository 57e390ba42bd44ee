# Qt, looked up only after core/ has been added; and Graphviz, for app/layout alone.

set(PT2E_QT_MINIMUM 6.4)
find_package(Qt6 ${PT2E_QT_MINIMUM} QUIET COMPONENTS Core Gui Widgets Svg Concurrent)
pt2e_require("Qt ${PT2E_QT_MINIMUM} or newer" "qt6-base-dev, qt6-svg-dev" "${Qt6_FOUND}")
find_package(Qt6 ${PT2E_QT_MINIMUM} QUIET COMPONENTS LinguistTools)
pt2e_require("Qt Linguist's tools" "qt6-tools-dev, qt6-tools-dev-tools, qt6-l10n-tools"
             "${Qt6LinguistTools_FOUND}")
if(PT2E_TESTS)
  find_package(Qt6 ${PT2E_QT_MINIMUM} QUIET COMPONENTS Test)
  pt2e_require("Qt Test" "qt6-base-dev" "${Qt6Test_FOUND}")
endif()
message(STATUS "Qt ${Qt6_VERSION}")

# Graphviz's package file for CMake exists only in newer versions.
find_path(PT2E_GRAPHVIZ_INCLUDE gvc.h PATH_SUFFIXES graphviz)
find_library(PT2E_GRAPHVIZ_GVC gvc)
find_library(PT2E_GRAPHVIZ_CGRAPH cgraph)
mark_as_advanced(PT2E_GRAPHVIZ_INCLUDE PT2E_GRAPHVIZ_GVC PT2E_GRAPHVIZ_CGRAPH)
foreach(_part INCLUDE GVC CGRAPH)
  pt2e_require("Graphviz (${_part})" "libgraphviz-dev" "${PT2E_GRAPHVIZ_${_part}}")
endforeach()
add_library(pt2e::graphviz INTERFACE IMPORTED)
set_target_properties(
  pt2e::graphviz
  PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${PT2E_GRAPHVIZ_INCLUDE}"
             INTERFACE_LINK_LIBRARIES "${PT2E_GRAPHVIZ_GVC};${PT2E_GRAPHVIZ_CGRAPH}")
