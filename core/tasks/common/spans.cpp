#include "core/tasks/common/spans.h"

#include "core/error.h"

namespace elmo {
namespace {

/// A parsed label: B-PER is 'B' and "PER"; O and labels of another form are 'O' and "".
struct Tag {
  char prefix = 'O';
  std::string_view type;
};

bool marks_span(std::string_view label) {
  constexpr std::string_view kPrefixes = "BIES";
  return label.size() > 2 && label[1] == '-' && kPrefixes.find(label[0]) != std::string_view::npos;
}

Tag tag_of(std::string_view label) {
  if (!marks_span(label)) return {};
  return {label[0], label.substr(2)};
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
std::string fault(SpanScheme scheme, const Tag& former, const Tag& tag) {
  const bool open = scheme == SpanScheme::bioes && (former.prefix == 'B' || former.prefix == 'I');
  const std::string type(former.type);
  if (open && ends(former, tag)) return "I-" + type + " or E-" + type + " to continue the span";
  const bool goes_on = tag.prefix == 'I' || tag.prefix == 'E';
  if (!goes_on || (former.prefix != 'O' && !ends(former, tag))) return {};
  return (scheme == SpanScheme::iob2 ? "B-" : "B- or S-") + std::string(tag.type) +
         " to begin a span";
}

}  // namespace

std::optional<SpanScheme> span_scheme(std::span<const std::string> labels) {
  std::optional<SpanScheme> scheme;
  for (const std::string& label : labels) {
    if (label == "O") continue;
    if (!marks_span(label)) return std::nullopt;
    if (label[0] == 'E' || label[0] == 'S') scheme = SpanScheme::bioes;
    if (!scheme) scheme = SpanScheme::iob2;
  }
  return scheme;
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

bool may_follow(SpanScheme scheme, std::string_view former, std::string_view label) {
  return fault(scheme, tag_of(former), tag_of(label)).empty();
}

void check_spans(SpanScheme scheme, std::span<const std::string> labels, const Sentence& sentence,
                 const std::string& name) {
  const auto fail = [&](std::size_t token, const std::string& found, const std::string& expected) {
    throw InputError(name + ": line " + std::to_string(sentence.line_of(token)) + ": found " +
                     found + "; expected " + expected +
                     (scheme == SpanScheme::iob2 ? " (IOB2)" : " (BIOES)") + "; fix the file");
  };
  Tag former;
  for (std::size_t token = 0; token < labels.size(); ++token) {
    const std::string& label = labels[token];
    const bool known = label == "O" || label.starts_with("B-") || label.starts_with("I-") ||
                       scheme == SpanScheme::bioes;
    if (!known || (label != "O" && !marks_span(label))) {
      fail(token, "the label '" + label + "'",
           scheme == SpanScheme::iob2 ? "O, B-TYPE or I-TYPE" : "O or B-, I-, E- or S-TYPE");
    }
    const Tag tag = tag_of(label);
    const std::string expected = fault(scheme, former, tag);
    if (!expected.empty()) {
      fail(
          token,
          "the label '" + label + "' " +
              (token == 0 ? "at the beginning of a sentence" : "after '" + labels[token - 1] + "'"),
          expected);
    }
    former = tag;
  }
  const std::string expected = fault(scheme, former, Tag{});
  if (!expected.empty()) {
    fail(labels.size() - 1, "the label '" + labels.back() + "' at the end of a sentence", expected);
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
                                   SpanScheme scheme) {
  std::vector<std::string> labels(size, "O");
  for (const LabelSpan& span : spans) {
    for (std::size_t token = span.begin; token < span.end; ++token) {
      labels[token] = (token == span.begin ? "B-" : "I-") + span.type;
    }
    if (scheme == SpanScheme::iob2) continue;
    labels[span.end - 1][0] = span.end - span.begin == 1 ? 'S' : 'E';
  }
  return labels;
}

std::vector<std::string> convert_spans(std::span<const std::string> labels, SpanScheme scheme) {
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
