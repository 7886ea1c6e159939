#include "io/task/record_reader.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/task/json_fields.h"

namespace elmo {
namespace {

const std::vector<std::string>& list_of(const JsonField& field, const char* name) {
  if (field.kind == JsonField::Kind::list) return field.list;
  throw InputError("found " +
                   std::string(field.kind == JsonField::Kind::text ? "a string in the" : "no") +
                   " field '" + name + "'; expected a list of strings in it");
}

void check_tokens(const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    if (token.empty()) throw InputError("found an empty token; expected words");
    if (token.find('\0') != std::string::npos) {
      throw InputError("found a NUL in a token; expected text");
    }
  }
}

void check_labels(const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    if (label.empty()) throw InputError("found an empty label; expected a label for each token");
    if (label.size() > kMaxLabelBytes) {
      throw InputError("found a label of " + std::to_string(label.size()) +
                       " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
    }
  }
}

}  // namespace

bool RecordReader::next(LabelledSentence& labelled) {
  try {
    while (lines_.next()) {
      if (lines_.too_long() || lines_.line().size() > kMaxSentenceBytes) {
        throw InputError("found more than " + std::to_string(kMaxSentenceBytes) +
                         " bytes; expected smaller records");
      }
      line_.assign(lines_.line());
      if (line_.text().find_first_not_of(" \t\r") == std::string_view::npos) continue;
      read_record(line_.text(), labelled);
      return true;
    }
  } catch (const InputError& error) {
    throw InputError(name_ + ": line " + std::to_string(lines_.number()) + ": " + error.what() +
                     "; mend the record");
  }
  return false;
}

void RecordReader::read_record(std::string_view json, LabelledSentence& labelled) {
  static const std::array<std::string, 3> kNames = {"tokens", "labels", "id"};
  std::vector<JsonField> fields = parse_json_fields(json, kNames);
  const std::vector<std::string>& tokens = list_of(fields[0], "tokens");
  list_of(fields[1], "labels");
  std::vector<std::string>& labels = fields[1].list;
  if (tokens.size() != labels.size()) {
    throw InputError("found " + std::to_string(tokens.size()) + " tokens and " +
                     std::to_string(labels.size()) + " labels; expected a label for each token");
  }
  check_tokens(tokens);
  check_labels(labels);
  const bool named = fields[2].kind == JsonField::Kind::text;
  labelled.sentence.document =
      context_.begin_document(named ? fields[2].text : std::to_string(lines_.number()));
  labelled.sentence.line = lines_.number();
  std::uint64_t begin = 0;
  for (const std::string& token : tokens) {
    labelled.sentence.add(token, {begin, begin + token.size()});
    begin += token.size() + 1;
  }
  labelled.labels = std::move(labels);
}

}  // namespace elmo
