#include "io/text/segment/word_cuts.h"

#include <algorithm>
#include <utility>

namespace elmo {
namespace {

/// The kinds of characters: numerals, hiragana, katakana and other Han characters.
char32_t type_of(char32_t c) {
  constexpr std::u32string_view kNumerals =
      U"\u4E00\u4E8C\u4E09\u56DB\u4E94\u516D\u4E03\u516B\u4E5D\u5341\u767E"
      U"\u5343\u4E07\u5104\u3007"
      U"\u4E24\u96F6";
  if (c == U'^' || c == U'$') return c;
  if (kNumerals.find(c) != std::u32string_view::npos) return U'N';
  if (c >= 0x3041 && c <= 0x309F) return U'H';
  if ((c >= 0x30A0 && c <= 0x30FF) || (c >= 0xFF66 && c <= 0xFF9F)) return U'K';
  return U'C';
}

char32_t digit_of(std::size_t length) {
  constexpr std::size_t kMost = 4;
  return U'0' + static_cast<char32_t>(std::min(length, kMost));
}

/// Sums the weights of the features at each position.
class CutModel {
 public:
  CutModel(std::u32string_view run, const CutWeights& weights) : run_(run), weights_(weights) {}

  /// True if a word ends before position `at`. `first` and `last` are the beginning of the
  /// dictionary's word before it and the end of the one after it; the same word if not `is_cut`.
  bool cuts(std::size_t first, std::size_t at, std::size_t last, bool is_cut) {
    cut_ = is_cut ? U'1' : U'0';
    sum_ = weights_[std::u32string_view(&cut_, 1)];
    const char32_t before = character(at, -1);
    const char32_t after = character(at, 0);
    add({U'l', before});
    add({U'r', after});
    add({U'b', before, after});
    add({U't', type_of(character(at, -2)), type_of(before), type_of(after),
         type_of(character(at, 1))});
    add({U'p', character(at, -2), before});
    add({U'q', after, character(at, 1)});
    add({U'n', digit_of(at - first), digit_of(last - at), type_of(before), type_of(after)});
    add_words(first, at, last);
    return sum_ > 0;
  }

 private:
  static constexpr std::size_t kMaxPart = 8;
  static constexpr std::size_t kMaxWord = 6;

  /// Returns the character `distance` after position `at`, a sign beyond the ends of the run.
  char32_t character(std::size_t at, int distance) const {
    const auto position = static_cast<std::ptrdiff_t>(at) + distance;
    if (position < 0) return U'^';
    const auto index = static_cast<std::size_t>(position);
    return index < run_.size() ? run_[index] : U'$';
  }

  void add(std::u32string_view feature) {
    name_.assign(1, cut_);
    name_ += feature;
    sum_ += weights_[name_];
  }
  void add(std::initializer_list<char32_t> feature) {
    add(std::u32string_view(feature.begin(), feature.size()));
  }

  void add(char32_t kind, std::u32string_view part) {
    name_.assign(1, cut_);
    name_ += kind;
    name_ += part;
    sum_ += weights_[name_];
  }

  void add_words(std::size_t first, std::size_t at, std::size_t last) {
    if (at - first <= kMaxPart) add(U'L', run_.substr(first, at - first));
    if (last - at <= kMaxPart) add(U'R', run_.substr(at, last - at));
    if (last - first > kMaxWord) return;
    std::u32string whole;
    if (cut_ == U'0') whole += U'0' + static_cast<char32_t>(at - first);
    whole += run_.substr(first, last - first);
    add(U'W', whole);
  }

  std::u32string_view run_;
  const CutWeights& weights_;
  char32_t cut_ = U'0';
  float sum_ = 0;
  std::u32string name_;
};

}  // namespace

float CutWeights::operator[](std::u32string_view feature) const {
  const auto found = weights_.find(feature);
  return found == weights_.end() ? 0 : found->second;
}

void correct_cuts(std::u32string_view run, const CutWeights& weights,
                  std::vector<std::size_t>& ends) {
  CutModel model(run, weights);
  std::vector<std::size_t> corrected;
  std::size_t first = 0;
  for (std::size_t word = 0; word < ends.size(); ++word) {
    const std::size_t end = ends[word];
    for (std::size_t at = first + 1; at < end; ++at) {
      if (model.cuts(first, at, end, false)) corrected.push_back(at);
    }
    const bool is_last = word + 1 == ends.size();
    if (is_last || model.cuts(first, end, ends[word + 1], true)) corrected.push_back(end);
    first = end;
  }
  ends = std::move(corrected);
}

}  // namespace elmo
