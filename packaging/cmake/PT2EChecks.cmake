# Checks of the sources themselves, run with the tests.
