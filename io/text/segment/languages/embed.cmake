# Writes OUTPUT, a C++ file that holds the text of the rule FILES (io/text/segment/token_rules.h).
set(entries "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"RULES(${text})RULES\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"io/text/segment/token_rules.h\"

namespace elmo {
namespace {
const LanguageFile kFiles[] = {
${entries}};
}  // namespace
const std::span<const LanguageFile> kLanguageFiles = kFiles;
}  // namespace elmo
")
