// Spans of tokens, such as names, encoded as one label per token.
//
// IOB2 (Tjong Kim Sang and Veenstra 1999): B-TYPE begins a span, I-TYPE continues it, O is outside.
// IOB1 (Ramshaw and Marcus 1995), the scheme of CoNLL-2003 as distributed: I-TYPE also begins a
// span, and B-TYPE only begins one directly after another of its type. BIOES: a span of several
// tokens ends with E-TYPE, a span of one token is S-TYPE.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "core/nn/crf.h"

namespace elmo {

enum class SpanScheme { iob2, bioes };

/// Tokens `begin` to `end` (exclusive) of a sentence, and the type of the span.
struct LabelSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string type;

  bool operator==(const LabelSpan&) const = default;
};

/// Detects the scheme of a corpus from its distinct labels: each is O or has the form B-TYPE,
/// I-TYPE, E-TYPE or S-TYPE, and not all are O. E or S means BIOES. Returns nothing for other
/// labels.
std::optional<SpanScheme> span_scheme(std::span<const std::string> labels);

/// Evidence for IOB1 and IOB2 in a corpus whose labels span_scheme() classifies as IOB2.
struct IobSigns {
  bool iob1 = false;  ///< I-TYPE begins a span
  bool iob2 = false;  ///< B-TYPE begins a span that does not follow another of its type

  bool means_iob1() const { return iob1 && !iob2; }
};

/// Adds the evidence of a sentence's labels.
void add_signs(std::span<const std::string> labels, IobSigns& signs);

/// True if `scheme` allows `label` after `former`. "" denotes the boundary before the first token
/// and after the last.
bool may_follow(SpanScheme scheme, std::string_view former, std::string_view label);

/// InputError, naming the line, for the first label of the sentence that `scheme` does not allow: a
/// label of another form, one that continues a span that is not open, or a BIOES span that is not
/// closed. `name` is the name of the file.
void check_spans(SpanScheme scheme, std::span<const std::string> labels, const Sentence& sentence,
                 const std::string& name);

/// The spans that labels of either scheme mark, in order. Follows the rules of conlleval (the
/// scorer of CoNLL-2000 and 2003), which accept any labels: I-TYPE begins a span if none of its
/// type is open, and another type ends the open span. Labels of another form are outside.
std::vector<LabelSpan> spans_of(std::span<const std::string> labels);

/// The labels of `size` tokens that encode `spans`, which must not overlap.
std::vector<std::string> labels_of(std::span<const LabelSpan> spans, std::size_t size,
                                   SpanScheme scheme);

/// Encodes the same spans in `scheme`. The labels may follow either scheme.
std::vector<std::string> convert_spans(std::span<const std::string> labels, SpanScheme scheme);

/// Allows all transitions unless the labels follow a span scheme (spans.h). Any thread.
LabelTransitions label_transitions(std::span<const std::string> labels);

}  // namespace elmo
