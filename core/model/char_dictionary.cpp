#include "core/model/char_dictionary.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/model/characters.h"

namespace elmo {

CharDictionary::CharDictionary(std::vector<std::string> entries, const CharMarks& marks)
    : entries_(std::move(entries)), marks_(marks) {
  std::unordered_map<std::string_view, std::int32_t> places;
  places.reserve(entries_.size());
  for (std::size_t row = 0; row < entries_.size(); ++row) {
    const std::string& entry = entries_[row];
    if (!places.emplace(entry, static_cast<std::int32_t>(row)).second) {
      throw InputError("the dictionary has the character \"" + entry +
                       "\" twice; expected each once");
    }
    std::size_t end = 0;
    if (entry.empty()) continue;
    const char32_t character = decode_character(entry, end);
    if (end == entry.size()) rows_.emplace(character, static_cast<std::int32_t>(row));
  }
  const auto find = [&](const std::string& mark) {
    const auto place = places.find(mark);
    if (place != places.end()) return place->second;
    throw InputError("the dictionary's " + std::to_string(entries_.size()) +
                     " characters do not have " + mark +
                     "; expected the marks of words, sentences, padding and unknown characters");
  };
  begin_sentence_ = find(marks.begin_sentence);
  end_sentence_ = find(marks.end_sentence);
  begin_word_ = find(marks.begin_word);
  end_word_ = find(marks.end_word);
  padding_ = find(marks.padding);
  unknown_ = find(marks.unknown);
}

std::size_t CharDictionary::ids(std::string_view token, std::span<std::int32_t> ids) const {
  const std::string_view kept = first_characters(token, ids.size() - 2);
  if (kept == marks_.begin_sentence) return begin_sentence_ids(ids);
  if (kept == marks_.end_sentence) return end_sentence_ids(ids);
  std::size_t count = 0;
  ids[count++] = begin_word_;
  for (std::size_t position = 0; position < kept.size();) {
    const auto row = rows_.find(decode_character(kept, position));
    ids[count++] = row == rows_.end() ? unknown_ : row->second;
  }
  ids[count++] = end_word_;
  std::fill(ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), padding_);
  return count;
}

std::size_t CharDictionary::begin_sentence_ids(std::span<std::int32_t> ids) const {
  return boundary_ids(begin_sentence_, ids);
}

std::size_t CharDictionary::end_sentence_ids(std::span<std::int32_t> ids) const {
  return boundary_ids(end_sentence_, ids);
}

std::size_t CharDictionary::boundary_ids(std::int32_t mark, std::span<std::int32_t> ids) const {
  ids[0] = begin_word_;
  ids[1] = mark;
  ids[2] = end_word_;
  std::fill(ids.begin() + 3, ids.end(), padding_);
  return 3;
}

}  // namespace elmo
