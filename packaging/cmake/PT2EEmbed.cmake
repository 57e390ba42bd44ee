# Writes a header that holds a file's bytes:
#   cmake -DINPUT=<file> -DOUTPUT=<header> -DNAME=<constant> -P PT2EEmbed.cmake
file(READ "${INPUT}" _hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," _bytes "${_hex}")
string(REGEX REPLACE "(................................................................................)"
                     "\\1\n" _bytes "${_bytes}")
file(WRITE "${OUTPUT}"
     "// Made from a file by packaging/cmake/PT2EEmbed.cmake.\n#pragma once\n\nnamespace pt2e {\n\n"
     "inline constexpr unsigned char ${NAME}[] = {\n${_bytes}\n};\n\n} // namespace pt2e\n")
