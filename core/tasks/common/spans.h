// Spans of tokens, such as names, written as a label a token.
//
// IOB2 (Tjong Kim Sang and Veenstra 1999): B-TYPE begins a span, I-TYPE continues with it, O is
// outside. IOB1 (Ramshaw and Marcus 1995), in which CoNLL-2003 was issued: I-TYPE begins a span,
// too, and B-TYPE only one behind another of its type. BIOES: a span of several tokens ends with
// E-TYPE, one of a single token is S-TYPE.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/labeled_sentence.h"

namespace elmo {

enum class SpanScheme { iob2, bioes };

/// Tokens `begin` to `end` (exclusive) of a sentence, and what they are.
struct LabelSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string type;

  bool operator==(const LabelSpan&) const = default;
};

/// The scheme of a corpus by its distinct labels: each is O or has the form B-TYPE, I-TYPE, E-TYPE
/// or S-TYPE, and not all are O. E and S make it BIOES. None for any other labels.
std::optional<SpanScheme> span_scheme(std::span<const std::string> labels);

/// What of IOB1 and IOB2 is found in a corpus whose labels span_scheme() takes for IOB2.
struct IobSigns {
  bool iob1 = false;  ///< I-TYPE begins a span
  bool iob2 = false;  ///< B-TYPE begins a span that is not behind another of its type

  bool means_iob1() const { return iob1 && !iob2; }
};

/// Adds what the labels of a sentence show.
void add_signs(std::span<const std::string> labels, IobSigns& signs);

/// Whether `scheme` allows `label` behind `former`. Before the first token and behind the last
/// stands "".
bool may_follow(SpanScheme scheme, std::string_view former, std::string_view label);

/// InputError, naming the line, for the first label of the sentence that `scheme` does not allow
/// there: one of another form, one that continues with a span that is not open, a BIOES span that
/// is not closed. `name` is the file's.
void check_spans(SpanScheme scheme, const LabeledSentence& labeled, const std::string& name);

/// The spans that labels of either scheme mark, in order, by the rules of conlleval (CoNLL-2000's
/// and 2003's scorer), which make something of any labels: I-TYPE begins a span where none of its
/// type is open, and another type ends the open one. Labels of another form are outside.
std::vector<LabelSpan> spans_of(std::span<const std::string> labels);

/// The labels of `size` tokens that mark these spans, which do not overlap.
std::vector<std::string> labels_of(std::span<const LabelSpan> spans, std::size_t size,
                                   SpanScheme scheme);

/// The same spans in `scheme`, whichever they came in.
std::vector<std::string> convert_spans(std::span<const std::string> labels, SpanScheme scheme);

}  // namespace elmo
