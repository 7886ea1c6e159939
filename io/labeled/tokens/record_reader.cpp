#include "io/labeled/tokens/record_reader.h"

#include <array>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/json/json_fields.h"
#include "io/labeled/common/listed_tokens.h"
#include "io/text/formats/json_record.h"
#include "io/text/segment/white_space.h"

namespace elmo {
namespace {

const std::vector<std::string>& list_of(const JsonField& field, const char* name) {
  if (field.kind != JsonField::Kind::list) refuse_field(field, name, "a list of strings");
  return field.list;
}

}  // namespace

bool RecordReader::next(LabeledSentence& labeled) {
  while (lines_.next()) {
    try {
      if (lines_.too_long() || lines_.line().size() > kMaxSentenceBytes) {
        throw InputError("found more than " + std::to_string(kMaxSentenceBytes) +
                         " bytes; expected smaller records");
      }
      line_.assign(lines_.line());
      if (is_blank_line(line_.text())) continue;
      read_record(line_.text(), labeled);
      return true;
    } catch (const InputError& error) {
      leave_out_or_refuse(context_, labeled_,
                          name_ + ": line " + std::to_string(lines_.number()) + ": ", error);
      labeled.sentence.clear();
    }
  }
  return false;
}

void RecordReader::read_record(std::string_view json, LabeledSentence& labeled) {
  static const std::array<std::string, 3> names = {"tokens", "labels", "id"};
  std::vector<JsonField> fields = parse_json_fields(json, names);
  if (line_.first_repair() != RepairedText::npos) {
    take_back_repairs(parse_json_fields(line_.marked(), names).front(), fields.front());
  }
  const std::vector<std::string>& tokens = list_of(fields[0], "tokens");
  if (labeled_) list_of(fields[1], "labels");
  std::vector<std::string>& labels = fields[1].list;
  if (!labeled_) labels.clear();
  if (labeled_ && tokens.size() != labels.size()) {
    throw InputError("found " + std::to_string(tokens.size()) + " tokens and " +
                     std::to_string(labels.size()) + " labels; expected a label for each token");
  }
  for (const std::string& label : labels) check_label(label);
  const bool named = fields[2].kind != JsonField::Kind::absent;
  if (named && !fields[2].is_text()) refuse_field(fields[2], "id", "a string or a number");
  labeled.sentence.document =
      context_.begin_document(named ? fields[2].text : std::to_string(lines_.number()));
  labeled.sentence.line = lines_.number();
  add_listed_tokens(tokens, labeled.sentence);
  labeled.labels = std::move(labels);
}

}  // namespace elmo
