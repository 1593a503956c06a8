# cmake -DFOLDER=<configs/rules> -DNAMES=a,b -DOUTPUT=<file.c> -P EmbedPresets.cmake
#
# Writes the texts of FOLDER/<name>.yaml as a C file. They become arrays of bytes, since a string
# literal has a limit of 4095 characters in C17.

string(REPLACE "," ";" names "${NAMES}")
set(texts "")
set(rows "")
set(index 0)
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}.yaml" hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND texts "static const unsigned char text_${index}[] = {\n${bytes}\n};\n")
  string(APPEND rows
    "    {\"${name}\", \"configs/rules/${name}.yaml\", text_${index}, sizeof text_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "/* Made by EmbedPresets.cmake from configs/rules. */
#include \"config/presets.h\"

${texts}
const hy_embedded_preset hy_embedded_presets[] = {
${rows}};
const size_t hy_num_embedded_presets = ${index};
")
