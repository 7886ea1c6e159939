#include "io/labelled/senses/sense_corpus.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence_cutter.h"
#include "io/json/shown_json.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/segment/escaped_name.h"
#include "io/text/source/input_files.h"

namespace elmo {

namespace {

using JsonValue = nlohmann::json;

[[noreturn]] void refuse_line(const std::string& found, const std::string& expected) {
  throw InputError("found " + found + "; expected " + expected);
}

/// What stands in a record under `name`; null where there is nothing.
const JsonValue* member(const JsonValue& record, const char* name) {
  const auto found = record.find(name);
  return found == record.end() ? nullptr : &*found;
}

const JsonValue& required(const JsonValue& record, const char* name, const std::string& expected) {
  const JsonValue* found = member(record, name);
  if (found == nullptr) refuse_line(std::string("no '") + name + "'", expected);
  return *found;
}

/// The strings of a list, none of them empty or with a NUL.
std::vector<std::string> strings(const JsonValue& list, const std::string& where,
                                 const std::string& expected) {
  if (!list.is_array()) refuse_line(std::string(list.type_name()) + " in " + where, expected);
  std::vector<std::string> texts;
  for (const JsonValue& item : list) {
    const std::string* text = item.get_ptr<const std::string*>();
    if (text == nullptr) refuse_line(std::string(item.type_name()) + " in " + where, expected);
    if (text->empty() || text->find('\0') != std::string::npos) {
      refuse_line("an empty string or a NUL in " + where, expected);
    }
    texts.push_back(*text);
  }
  return texts;
}

/// The token that a member's name counts.
std::size_t token_index(const std::string& name, const char* where, std::size_t tokens) {
  std::size_t index = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, index);
  if (error != std::errc{} || stop != end || index >= tokens) {
    refuse_line("'" + name.substr(0, 40) + "' in '" + where + "' of a sentence of " +
                    std::to_string(tokens) + " tokens",
                "the number of a token, from 0 on");
  }
  return index;
}

/// read(index, value) for each member of the object under `name`, where there is one.
template <typename Read>
void for_each_index(const JsonValue& record, const char* name, std::size_t tokens, Read read) {
  const JsonValue* found = member(record, name);
  if (found == nullptr) return;
  if (!found->is_object()) {
    refuse_line(std::string(found->type_name()) + " in '" + name + "'", "an object by token");
  }
  for (const auto& [key, value] : found->items()) read(token_index(key, name, tokens), value);
}

SenseInstance* instance_at(std::vector<SenseInstance>& instances, std::size_t index) {
  const auto found = std::ranges::lower_bound(instances, index, {}, &SenseInstance::begin);
  return found == instances.end() || found->begin != index ? nullptr : &*found;
}

}  // namespace

SenseSentence parse_sense_sentence(std::string_view json) {
  JsonValue record;
  try {
    record = JsonValue::parse(json);
  } catch (const JsonValue::exception&) {
    refuse_line("no JSON in UTF-8", "one object a line");
  }
  if (!record.is_object()) refuse_line(record.type_name(), "a JSON object");
  const std::string a_list = "a list of strings, one for each token";
  const auto tokens = strings(required(record, "tokens", a_list), "'tokens'", a_list);
  const auto lemmas = strings(required(record, "lemmas", a_list), "'lemmas'", a_list);
  const auto parts = strings(required(record, "pos", a_list), "'pos'", a_list);
  if (lemmas.size() != tokens.size() || parts.size() != tokens.size()) {
    refuse_line(std::to_string(tokens.size()) + " tokens, " + std::to_string(lemmas.size()) +
                    " lemmas and " + std::to_string(parts.size()) + " parts of speech",
                "as many of each");
  }
  if (tokens.size() > kDefaultMaxSentenceTokens) {
    refuse_line("a sentence of " + std::to_string(tokens.size()) + " tokens",
                "at most " + std::to_string(kDefaultMaxSentenceTokens));
  }

  SenseSentence result;
  for (const std::string& token : tokens) {
    result.sentence.add(token == "``" || token == "''" ? "\"" : token, {});
  }
  const JsonValue* const id = member(record, "id");
  const std::string* const name = id == nullptr ? nullptr : id->get_ptr<const std::string*>();
  required(record, "senses", "an object: the keys of senses by token");
  for_each_index(record, "senses", tokens.size(), [&](std::size_t index, const JsonValue& keys) {
    const std::string expected = "a list of keys, at least one";
    std::vector<std::string> right = strings(keys, "'senses'", expected);
    if (right.empty()) refuse_line("an empty list in 'senses'", expected);
    result.instances.push_back({(name == nullptr ? "" : *name) + ":" + std::to_string(index), index,
                                index + 1, lemmas[index], parts[index], std::move(right), false});
  });
  std::ranges::sort(result.instances, {}, &SenseInstance::begin);
  for_each_index(record, "spans", tokens.size(), [&](std::size_t index, const JsonValue& value) {
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() > index &&
                      value.get<std::uint64_t>() <= tokens.size();
    if (!fits) {
      refuse_line("a span from token " + std::to_string(index) + " of a sentence of " +
                      std::to_string(tokens.size()) + " tokens to " + shown_json(value),
                  "an end after its beginning, within the sentence");
    }
    if (SenseInstance* at = instance_at(result.instances, index)) {
      at->end = static_cast<std::size_t>(value.get<std::uint64_t>());
    }
  });
  for_each_index(record, "ne", tokens.size(), [&](std::size_t index, const JsonValue&) {
    if (SenseInstance* at = instance_at(result.instances, index)) at->is_name = true;
  });
  for_each_index(record, "ids", tokens.size(), [&](std::size_t index, const JsonValue& value) {
    const std::string* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) refuse_line(std::string(value.type_name()) + " in 'ids'", "a string");
    if (SenseInstance* at = instance_at(result.instances, index)) at->id = *text;
  });
  return result;
}

SenseCorpus::SenseCorpus(const std::string& path)
    : path_(path),
      document_(std::make_shared<const Document>(Document{0, escaped_name(path)})),
      window_(open_file(path, bytes_read_, waiting_)),
      lines_(window_) {
  total_bytes_ = list_input_files({path}).front().size;
}

bool SenseCorpus::next(SenseSentence& sentence) {
  while (lines_.next()) {
    try {
      if (lines_.too_long() || lines_.line().size() > kMaxSenseLineBytes) {
        refuse_line("a line of more than " + std::to_string(kMaxSenseLineBytes) + " bytes",
                    "a sentence");
      }
      if (lines_.line().find_first_not_of(" \t") == std::string_view::npos) continue;
      sentence = parse_sense_sentence(lines_.line());
    } catch (const InputError& error) {
      throw InputError(path_ + ": line " + std::to_string(lines_.number()) + ": " + error.what() +
                       "; mend the file");
    }
    sentence.sentence.document = document_;
    sentence.sentence.stand_in_line(lines_.number());
    return true;
  }
  return false;
}

}  // namespace elmo
