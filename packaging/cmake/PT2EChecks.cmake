# Checks of the sources themselves, run by CTest with the tests.

find_program(PT2E_BASH bash)
mark_as_advanced(PT2E_BASH)
pt2e_require("bash" "bash" "${PT2E_BASH}")
foreach(_check format include-order)
  add_test(NAME check-${_check} COMMAND "${PT2E_BASH}"
                                        "${PROJECT_SOURCE_DIR}/packaging/checks/${_check}.sh")
  set_tests_properties(check-${_check} PROPERTIES SKIP_RETURN_CODE 77 LABELS check)
endforeach()
