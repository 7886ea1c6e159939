#include "core/tasks/common/spans.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/text.h"

namespace elmo {
namespace {

constexpr std::array kSchemes{SpanScheme::iob2, SpanScheme::bioes, SpanScheme{"BILO", "BIL"},
                              SpanScheme{"BILOU", "BILU"}, SpanScheme{"BMESO", "BMES"}};

/// A parsed label: B-PER is 'B' and "PER", with the letters of BIOES for those of other schemes; O
/// and labels of another form are 'O' and "".
struct Tag {
  char prefix = 'O';
  std::string_view type;
};

/// The letter of BIOES that means the same.
char bioes_letter(char letter) {
  switch (letter) {
    case 'M':
      return 'I';
    case 'L':
      return 'E';
    case 'U':
      return 'S';
    default:
      return letter;
  }
}

bool marks_span(std::string_view label) {
  constexpr std::string_view kLetters = "BIESLUM";
  return label.size() > 2 && (label[1] == '-' || label[1] == '_') &&
         kLetters.find(label[0]) != std::string_view::npos;
}

bool is_spelled_in(const SpanScheme& scheme, std::string_view label) {
  return label == "O" || (marks_span(label) && label[1] == scheme.separator &&
                          scheme.letters.find(label[0]) != std::string_view::npos);
}

Tag tag_of(std::string_view label) {
  if (!marks_span(label)) return {};
  return {bioes_letter(label[0]), label.substr(2)};
}

/// The scheme's letter for one of BIOES; if it has none, for the one that it has instead.
char letter_of(const SpanScheme& scheme, char bioes) {
  const auto found = std::ranges::find(scheme.letters, bioes, bioes_letter);
  if (found != scheme.letters.end()) return *found;
  return bioes == 'S' ? 'B' : 'I';
}

/// B-TYPE, spelled as the scheme does.
std::string spelled(const SpanScheme& scheme, char bioes, std::string_view type) {
  return std::string{letter_of(scheme, bioes), scheme.separator}.append(type);
}

/// True if a span ends between `former` and `tag`.
bool ends(const Tag& former, const Tag& tag) {
  if (former.prefix == 'O') return false;
  const bool closed = former.prefix == 'E' || former.prefix == 'S';
  const bool goes_on = tag.prefix == 'I' || tag.prefix == 'E';
  return closed || !goes_on || former.type != tag.type;
}

/// The labels that `scheme` expects instead of `tag` after `former`; empty if `tag` is allowed. O
/// follows the last token.
std::string fault(const SpanScheme& scheme, const Tag& former, const Tag& tag) {
  const bool has_single = letter_of(scheme, 'S') != 'B';
  const bool open =
      scheme.marks_ends() && (former.prefix == 'I' || (former.prefix == 'B' && has_single));
  if (open && ends(former, tag)) {
    const std::string type = excerpt(former.type);
    return spelled(scheme, 'I', type) + " or " + spelled(scheme, 'E', type) +
           " to continue the span";
  }
  const bool goes_on = tag.prefix == 'I' || tag.prefix == 'E';
  if (!goes_on || (former.prefix != 'O' && !ends(former, tag))) return {};
  const std::string begin = has_single ? spelled(scheme, 'B', "") + " or " : "";
  return begin + spelled(scheme, 'S', excerpt(tag.type)) + " to begin a span";
}

/// "O or B-, I-, E- or S-TYPE"
std::string forms_of(const SpanScheme& scheme) {
  std::string forms = "O";
  for (const char letter : scheme.letters) {
    forms += letter == scheme.letters.back() ? " or " : ", ";
    forms += letter;
    forms += scheme.separator;
  }
  return forms + "TYPE";
}

}  // namespace

std::string SpanScheme::description() const {
  return std::string(name) + (separator == '-' ? "" : std::string(" with ") + separator);
}

std::optional<SpanScheme> span_scheme(std::span<const std::string> labels) {
  const auto marked = std::ranges::find_if(labels, marks_span);
  if (marked == labels.end()) return std::nullopt;
  const auto begins = [&](char letter) {
    return std::ranges::any_of(labels, [&](const std::string& label) {
      return marks_span(label) && label.front() == letter;
    });
  };
  for (SpanScheme scheme : kSchemes) {
    scheme.separator = (*marked)[1];
    if (!is_spelled_in(scheme, labels)) continue;
    const bool sure = is_usual(scheme) || begins('B') || (scheme.separator == '-' && begins('U'));
    return sure ? std::optional(scheme) : std::nullopt;
  }
  return std::nullopt;
}

bool is_usual(const SpanScheme& scheme) {
  return scheme == SpanScheme::iob2 || scheme == SpanScheme::bioes;
}

bool is_spelled_in(const SpanScheme& scheme, std::span<const std::string> labels) {
  return std::ranges::all_of(
      labels, [&](const std::string& label) { return is_spelled_in(scheme, label); });
}

void add_signs(std::span<const std::string> labels, IobSigns& signs) {
  Tag former;
  for (const std::string& label : labels) {
    const Tag tag = tag_of(label);
    const bool follows = former.prefix != 'O' && former.type == tag.type;
    if (tag.prefix == 'I' && !follows) signs.iob1 = true;
    if (tag.prefix == 'B' && !follows) signs.iob2 = true;
    former = tag;
  }
}

bool may_follow(const SpanScheme& scheme, std::string_view former, std::string_view label) {
  return fault(scheme, tag_of(former), tag_of(label)).empty();
}

void check_spans(const SpanScheme& scheme, std::span<const std::string> labels,
                 const Sentence& sentence, const std::string& name) {
  const auto fail = [&](std::size_t token, const std::string& found, const std::string& expected) {
    throw InputError(name + ": line " + std::to_string(sentence.line_of(token)) + ": found " +
                     found + "; expected " + expected + " (" + scheme.description() +
                     "); fix the file");
  };
  Tag former;
  for (std::size_t token = 0; token < labels.size(); ++token) {
    const std::string& label = labels[token];
    if (!is_spelled_in(scheme, label))
      fail(token, "the label '" + excerpt(label) + "'", forms_of(scheme));
    const Tag tag = tag_of(label);
    const std::string expected = fault(scheme, former, tag);
    if (!expected.empty()) {
      fail(token,
           "the label '" + excerpt(label) + "' " +
               (token == 0 ? "at the beginning of a sentence"
                           : "after '" + excerpt(labels[token - 1]) + "'"),
           expected);
    }
    former = tag;
  }
  const std::string expected = fault(scheme, former, Tag{});
  if (!expected.empty()) {
    fail(labels.size() - 1, "the label '" + excerpt(labels.back()) + "' at the end of a sentence",
         expected);
  }
}

std::vector<LabelSpan> spans_of(std::span<const std::string> labels) {
  std::vector<LabelSpan> spans;
  Tag former;
  for (std::size_t token = 0; token < labels.size(); ++token) {
    const Tag tag = tag_of(labels[token]);
    if (tag.prefix != 'O') {
      if (former.prefix == 'O' || ends(former, tag)) {
        spans.push_back({token, token, std::string(tag.type)});
      }
      spans.back().end = token + 1;
    }
    former = tag;
  }
  return spans;
}

std::vector<std::string> labels_of(std::span<const LabelSpan> spans, std::size_t size,
                                   const SpanScheme& scheme) {
  std::vector<std::string> labels(size, "O");
  for (const LabelSpan& span : spans) {
    for (std::size_t token = span.begin; token < span.end; ++token) {
      const bool first = token == span.begin;
      const bool last = token + 1 == span.end;
      const char letter = first && last ? 'S' : first ? 'B' : last ? 'E' : 'I';
      labels[token] = spelled(scheme, letter, span.type);
    }
  }
  return labels;
}

std::vector<std::string> convert_spans(std::span<const std::string> labels,
                                       const SpanScheme& scheme) {
  return labels_of(spans_of(labels), labels.size(), scheme);
}

LabelTransitions label_transitions(std::span<const std::string> labels) {
  LabelTransitions transitions = LabelTransitions::all(static_cast<std::int64_t>(labels.size()));
  const std::optional<SpanScheme> scheme = span_scheme(labels);
  if (!scheme) return transitions;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    transitions.begins[i] = may_follow(*scheme, "", labels[i]) ? 1 : 0;
    transitions.ends[i] = may_follow(*scheme, labels[i], "") ? 1 : 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      transitions.follows[i * labels.size() + j] =
          may_follow(*scheme, labels[i], labels[j]) ? 1 : 0;
    }
  }
  // If training has no O and only labels of longer spans, a sentence of one token would have no
  // allowed label.
  bool any_alone = false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    any_alone = any_alone || (transitions.begins[i] != 0 && transitions.ends[i] != 0);
  }
  return any_alone ? transitions : LabelTransitions::all(static_cast<std::int64_t>(labels.size()));
}

}  // namespace elmo
