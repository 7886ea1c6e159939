#include "io/labeled/sense_corpus.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/json/json_document.h"
#include "io/labeled/example_file.h"
#include "io/text/bytes/encoding.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/normalization.h"
#include "io/text/segment/utf8.h"

namespace elmo {

namespace {

/// Returns the strings of a list. No string may be empty or contain NUL.
std::vector<std::string> strings(const JsonNode& list, const std::string& expected) {
  std::vector<std::string> texts;
  for (const JsonNode& item : list.elements(expected)) {
    const std::string& text = item.text();
    if (text.empty() || text.find('\0') != std::string::npos) {
      item.refuse("a string that is not empty and has no NUL");
    }
    texts.push_back(text);
  }
  return texts;
}

/// Parses a member's name as a token index.
std::size_t token_index(std::string_view name, const char* where, std::size_t tokens) {
  const auto index = number_of<std::size_t>(name);
  if (!index || *index >= tokens) {
    refuse("'" + excerpt(name) + "' in '" + where + "' of a sentence of " + std::to_string(tokens) +
               " tokens",
           "the number of a token, from 0 on");
  }
  return *index;
}

/// Calls read(index, value) for each member of the object under `name`, if present.
template <typename Read>
void for_each_index(const JsonNode& record, const char* name, std::size_t tokens, Read read) {
  const JsonNode object = record[name];
  if (!object.is_there()) return;
  for (const auto& [key, value] : object.members()) read(token_index(key, name, tokens), value);
}

SenseInstance* instance_at(std::vector<SenseInstance>& instances, std::size_t index) {
  const auto found = std::ranges::lower_bound(instances, index, {}, &SenseInstance::begin);
  return found == instances.end() || found->begin != index ? nullptr : &*found;
}

/// Reads the line of a word and its senses.
void read_candidates(const RecordLines& lines, SenseCandidates& candidates) {
  const std::string expected =
      "a lemma, a part of speech and, separated by spaces, keys of senses: three columns, "
      "separated by tabs";
  if (lines.too_long()) refuse("a line that is too long", expected);
  if (lines.line().empty()) return;
  const std::vector<std::string_view> fields = split(lines.line(), '\t');
  if (fields.size() != 3) refuse(human_count(fields.size(), "column"), expected);
  const std::vector<std::string_view> keys = split(fields[2], ' ');
  if (fields[0].empty() || fields[1].empty() || std::ranges::find(keys, "") != keys.end()) {
    refuse("an empty column or key", expected);
  }
  const LemmaKey lemma{fields[0], fields[1]};
  if (!candidates.try_emplace(lemma, keys.begin(), keys.end()).second) {
    refuse("the word " + lemma.first + ", " + lemma.second + " again", "each word once");
  }
}

constexpr const char* kSenseAdvice = "; fix the file";

}  // namespace

SenseCandidates read_sense_candidates(const std::string& path) {
  ByteWindow window(open_file(path));
  pass_over_byte_order_mark(window, path);
  RecordLines lines(window);
  SenseCandidates candidates;
  while (lines.next()) {
    name_errors(
        path, [&] { name_line(lines, kSenseAdvice, [&] { read_candidates(lines, candidates); }); });
  }
  return candidates;
}

SenseSentence parse_sense_sentence(std::string_view json) {
  const JsonDocument document(json, "", "one JSON object a line");
  const JsonNode record = document.root();
  const std::string a_list = "a list of strings, one for each token";
  const auto tokens = strings(record["tokens"], a_list);
  const auto lemmas = strings(record["lemmas"], a_list);
  const auto parts = strings(record["pos"], a_list);
  if (lemmas.size() != tokens.size() || parts.size() != tokens.size()) {
    refuse(std::to_string(tokens.size()) + " tokens, " + std::to_string(lemmas.size()) +
               " lemmas and " + std::to_string(parts.size()) + " parts of speech",
           "as many of each");
  }
  if (tokens.size() > kDefaultMaxSentenceTokens) {
    refuse("a sentence of " + std::to_string(tokens.size()) + " tokens",
           "at most " + std::to_string(kDefaultMaxSentenceTokens));
  }

  SenseSentence result;
  for (const std::string& token : tokens) {
    add_token(result.sentence, token == "``" || token == "''" ? "\"" : token, {});
  }
  const JsonNode id = record["id"];
  const std::string name = id.is_there() ? id_of(id) : "";
  if (!record["senses"].is_there())
    record["senses"].refuse("an object: the keys of senses by token");
  for_each_index(record, "senses", tokens.size(), [&](std::size_t index, const JsonNode& keys) {
    const std::string expected = "a list of keys, at least one";
    std::vector<std::string> right = strings(keys, expected);
    if (right.empty()) keys.refuse(expected);
    result.instances.push_back({name + ":" + std::to_string(index), index, index + 1,
                                canonical_form(lemmas[index]), parts[index], std::move(right),
                                false});
  });
  std::ranges::sort(result.instances, {}, &SenseInstance::begin);
  for_each_index(record, "spans", tokens.size(), [&](std::size_t index, const JsonNode& value) {
    const auto last = static_cast<std::int64_t>(tokens.size());
    const std::int64_t end = value.whole(static_cast<std::int64_t>(index) + 1, last);
    if (SenseInstance* at = instance_at(result.instances, index)) {
      at->end = static_cast<std::size_t>(end);
    }
  });
  for_each_index(record, "ne", tokens.size(), [&](std::size_t index, const JsonNode&) {
    if (SenseInstance* at = instance_at(result.instances, index)) at->is_name = true;
  });
  for_each_index(record, "ids", tokens.size(), [&](std::size_t index, const JsonNode& value) {
    if (SenseInstance* at = instance_at(result.instances, index)) at->id = value.text();
  });
  return result;
}

SenseCorpus::SenseCorpus(const std::string& path, const std::atomic<bool>* stop)
    : state_{.stop = stop},
      path_(path),
      document_(std::make_shared<const Document>(Document{0, escaped_name(path)})),
      window_(open_file(path, &state_)),
      lines_(window_) {
  total_bytes_ = list_input_files({path}).front().size;
}

bool SenseCorpus::next(SenseSentence& sentence) {
  // Opened only now, because opening may wait for a pipe.
  if (!std::exchange(begun_, true)) pass_over_byte_order_mark(window_, path_);
  while (lines_.next()) {
    const bool is_blank = name_errors(path_, [&] {
      return name_line(lines_, kSenseAdvice, [&] {
        if (lines_.too_long() || lines_.line().size() > kMaxSenseLineBytes) {
          refuse("a line of more than " + std::to_string(kMaxSenseLineBytes) + " bytes",
                 "a sentence");
        }
        if (is_blank_line(lines_.line())) return true;
        sentence = parse_sense_sentence(lines_.line());
        return false;
      });
    });
    if (is_blank) continue;
    sentence.sentence.document = document_;
    sentence.sentence.set_line(lines_.number());
    return true;
  }
  return false;
}

}  // namespace elmo
