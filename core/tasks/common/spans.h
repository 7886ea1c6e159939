// Spans of tokens, such as names, encoded as one label per token.
//
// IOB2 (Tjong Kim Sang and Veenstra 1999): B-TYPE begins a span, I-TYPE continues it, O is outside.
// IOB1 (Ramshaw and Marcus 1995), the scheme of CoNLL-2003 as distributed: I-TYPE also begins a
// span, and B-TYPE only begins one directly after another of its type. BIOES: a span of several
// tokens ends with E-TYPE, a span of one token is S-TYPE. The others are spelled differently: BILOU
// is BIOES with L for E and U for S, BMESO has M for I, and BILO is BILOU without U: a span of one
// token is B-TYPE. Some corpora write B_TYPE.
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

/// How labels mark spans.
struct SpanScheme {
  std::string_view name;
  /// The letters that labels may begin with. B begins a span, I or M continues it, S or U is a
  /// whole span. In schemes that mark ends, E or L ends a span.
  std::string_view letters;
  char separator = '-';  ///< between letter and type

  /// True if the last token of a span has another letter.
  bool marks_ends() const { return letters.size() > 2; }
  /// The name, and the separator if it is not the usual one.
  std::string description() const;

  bool operator==(const SpanScheme&) const = default;

  static const SpanScheme iob2;
  static const SpanScheme bioes;
};

inline constexpr SpanScheme SpanScheme::iob2{"IOB2", "BI"};
inline constexpr SpanScheme SpanScheme::bioes{"BIOES", "BIES"};

/// Tokens `begin` to `end` (exclusive) of a sentence, and the type of the span.
struct LabelSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string type;

  bool operator==(const LabelSpan&) const = default;
};

/// Detects the scheme of a corpus from its distinct labels: the first of IOB2, BIOES, BILO, BILOU
/// and BMESO with all their letters. Each label is O or a letter, the same separator and a type,
/// and not all are O. Labels that mark no spans may happen to fit a scheme other than IOB2
/// and BIOES with `-`; such a scheme therefore needs a label that begins a span: B, or with `-`
/// also U. Returns nothing for other labels.
std::optional<SpanScheme> span_scheme(std::span<const std::string> labels);

/// True for IOB2 and BIOES with `-`. Labels are converted between these two without a note.
bool is_usual(const SpanScheme& scheme);

/// True if each label is O or of the form of `scheme`.
bool is_spelled_in(const SpanScheme& scheme, std::span<const std::string> labels);

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
bool may_follow(const SpanScheme& scheme, std::string_view former, std::string_view label);

/// InputError, naming the line, for the first label of the sentence that `scheme` does not allow: a
/// label of another form, one that continues a span that is not open, or, if the scheme marks ends,
/// a span that is not closed. `name` is the name of the file.
void check_spans(const SpanScheme& scheme, std::span<const std::string> labels,
                 const Sentence& sentence, const std::string& name);

/// The spans that labels of any scheme mark, in order. Follows the rules of conlleval (the
/// scorer of CoNLL-2000 and 2003), which accept any labels: I-TYPE begins a span if none of its
/// type is open, and another type ends the open span. Labels of another form are outside.
std::vector<LabelSpan> spans_of(std::span<const std::string> labels);

/// The labels of `size` tokens that encode `spans`, which must not overlap.
std::vector<std::string> labels_of(std::span<const LabelSpan> spans, std::size_t size,
                                   const SpanScheme& scheme);

/// Encodes the same spans in `scheme`. The labels may follow any scheme.
std::vector<std::string> convert_spans(std::span<const std::string> labels,
                                       const SpanScheme& scheme);

/// The transitions that the labels' span scheme allows; all of them if they follow none. Any
/// thread.
LabelTransitions label_transitions(std::span<const std::string> labels);

}  // namespace elmo
