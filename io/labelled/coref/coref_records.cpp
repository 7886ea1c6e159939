#include "io/labelled/coref/coref_records.h"

#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/inference/sentence_cutter.h"
#include "io/labelled/common/labelled_reader.h"
#include "io/labelled/common/listed_tokens.h"
#include "io/text/formats/raw_text_reader.h"
#include "io/text/segment/code_points.h"

namespace elmo {
namespace {

constexpr std::array<std::pair<std::string_view, PronounGender>, 6> kPronouns = {
    {{"he", PronounGender::masculine},
     {"him", PronounGender::masculine},
     {"his", PronounGender::masculine},
     {"she", PronounGender::feminine},
     {"her", PronounGender::feminine},
     {"hers", PronounGender::feminine}}};

PronounGender gender_of(const JsonNode& pronoun) {
  std::string lower = pronoun.text();
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  for (const auto& [word, gender] : kPronouns) {
    if (word == lower) return gender;
  }
  pronoun.refuse("one of he, him, his, she, her and hers");
}

/// The tokens of what `words` holds, which stands in `text` from code point `begin` on.
RowSpan tokens_of(const JsonNode& words, const JsonNode& begin, std::string_view text,
                  const std::vector<Sentence>& sentences) {
  const std::uint64_t code_points = begin.count();
  std::size_t first = 0;
  for (std::uint64_t n = 0; n < code_points && first < text.size(); ++n) {
    next_code_point(text, first);
  }
  const std::string& expected = words.text();
  if (expected.empty() || text.substr(first, expected.size()) != expected) {
    begin.refuse("the code point of the text with which the words begin");
  }
  const std::size_t end = first + expected.size();
  RowSpan tokens{-1, -1};
  std::int64_t token = 0;
  for (const Sentence& sentence : sentences) {
    for (const ByteSpan& span : sentence.spans()) {
      if (span.begin < end && span.end > first) {
        if (tokens.begin < 0) tokens.begin = token;
        tokens.end = token + 1;
      }
      ++token;
    }
  }
  if (tokens.begin < 0) words.refuse("words, some of which are tokens");
  return tokens;
}

}  // namespace

bool CorefRecords::next(CorefDocument& document) {
  while (lines_.next()) {
    try {
      if (lines_.too_long()) {
        throw InputError("found more than " + std::to_string(kMaxRecordBytes) +
                         " bytes; expected smaller records");
      }
      line_.assign(lines_.line());
      if (line_.text().find_first_not_of(" \t\r") == std::string_view::npos) continue;
      document = {};
      read(JsonDocument(line_.text(), "", "a document with its sentences"), document);
      return true;
    } catch (const InputError& error) {
      leave_out_or_refuse(context_, labelled_, "line " + std::to_string(lines_.number()) + ": ",
                          error);
    }
  }
  return false;
}

void CorefRecords::read(const JsonDocument& json, CorefDocument& document) {
  if (!pronouns_) pronouns_ = !json["sentences"].is_there() && json["text"].is_there();
  if (*pronouns_) {
    read_pronoun(json, document);
    return;
  }
  read_sentences(json, document);
  if (!labelled_) return;
  std::int64_t tokens = 0;
  for (const Sentence& sentence : document.sentences) {
    tokens += static_cast<std::int64_t>(sentence.size());
  }
  read_clusters(json, tokens, document);
}

std::shared_ptr<const Document> CorefRecords::begin_document(const JsonNode& id) {
  if (!id.is_there()) return context_.begin_numbered_document(lines_.number());
  return context_.begin_document(id.text());
}

void CorefRecords::read_sentences(const JsonDocument& json, CorefDocument& document) {
  const auto name = begin_document(json["document"]);
  for (const JsonNode& tokens : json["sentences"].elements("an array of sentences")) {
    Sentence& sentence = document.sentences.emplace_back();
    sentence.document = name;
    sentence.stand_in_line(lines_.number());
    add_listed_tokens(tokens.texts(), sentence);
    if (sentence.size() > kDefaultMaxSentenceTokens) {
      tokens.refuse("a sentence of no more than " + std::to_string(kDefaultMaxSentenceTokens) +
                    " tokens");
    }
  }
  if (document.sentences.empty()) json["sentences"].refuse("at least one sentence");
  if (const JsonNode genre = json["genre"]; genre.is_there()) {
    document.genre = genre.text();
    check_label(document.genre);
  }
  if (const JsonNode speakers = json["speakers"]; speakers.is_there()) {
    for (const JsonNode& speaker : speakers.elements("an array with a speaker a sentence")) {
      document.speakers.push_back(speaker.is_null() ? "" : speaker.text());
    }
    if (document.speakers.size() != document.sentences.size()) {
      speakers.refuse("a speaker for each of the " + std::to_string(document.sentences.size()) +
                      " sentences");
    }
  }
}

void CorefRecords::read_clusters(const JsonDocument& json, std::int64_t tokens,
                                 CorefDocument& document) const {
  std::set<RowSpan> mentions;
  for (const JsonNode& cluster : json["clusters"].elements("an array of clusters")) {
    MentionCluster& spans = document.clusters.emplace_back();
    for (const JsonNode& span : cluster.elements("an array of spans")) {
      const std::vector<JsonNode> ends =
          span.elements("the first token and the one after the last");
      if (ends.size() != 2) span.refuse("the first token and the one after the last");
      const std::int64_t begin = ends[0].whole(0, tokens - 1);
      spans.push_back({begin, ends[1].whole(begin + 1, tokens)});
      if (!mentions.insert(spans.back()).second) {
        span.refuse("a span that is in no cluster yet");
      }
    }
  }
}

void CorefRecords::read_pronoun(const JsonDocument& json, CorefDocument& document) {
  const auto name = begin_document(json["id"]);
  const std::string& text = json["text"].text();
  ByteWindow window{std::string_view(text)};
  const auto reader = make_raw_text_reader(window, name->id, name, context_);
  for (Sentence sentence; reader->next(sentence); sentence = {}) {
    sentence.stand_in_line(lines_.number());
    document.sentences.push_back(std::move(sentence));
  }
  auto gold = std::make_shared<CorefGold>();
  gold->in_bytes = true;
  if (labelled_) {
    AmbiguousPronoun& pronoun = gold->pronoun.emplace();
    pronoun.gender = gender_of(json["pronoun"]);
    pronoun.pronoun = tokens_of(json["pronoun"], json["pronoun_start"], text, document.sentences);
    const auto read_name = [&](const char* words, const char* begin, const char* meant) {
      return AmbiguousPronoun::Name{tokens_of(json[words], json[begin], text, document.sentences),
                                    json[meant].flag()};
    };
    pronoun.names = {read_name("a", "a_start", "a_coref"), read_name("b", "b_start", "b_coref")};
  }
  document.gold = std::move(gold);
}

}  // namespace elmo
