// Spans encoded as labels.
#include "core/tasks/common/spans.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

#include "core/error.h"

namespace elmo {
namespace {

using Strings = std::vector<std::string>;
using Found = std::vector<LabelSpan>;

/// A sentence whose token i is in line 10 + i.
Sentence sentence_of(std::size_t tokens) {
  Sentence sentence;
  sentence.line = 10;
  for (std::size_t i = 0; i < tokens; ++i) {
    sentence.begin_line(10 + i);
    sentence.add("w", {2 * i, 2 * i + 1});
  }
  return sentence;
}

std::string error_of(const SpanScheme& scheme, const Strings& labels) {
  try {
    check_spans(scheme, labels, sentence_of(labels.size()), "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("span schemes are detected from the labels of a corpus") {
  CHECK(span_scheme(Strings{"O", "B-PER", "I-PER"}) == SpanScheme::iob2);
  CHECK(span_scheme(Strings{"B-PER"}) == SpanScheme::iob2);
  CHECK(span_scheme(Strings{"B-PER", "O", "S-a-b"}) == SpanScheme::bioes);
  CHECK(span_scheme(Strings{"E-PER", "I-PER"}) == SpanScheme::bioes);
  CHECK(!span_scheme(Strings{"O"}));
  CHECK(!span_scheme(Strings{}));
  CHECK(!span_scheme(Strings{"B-PER", "NN"}));
  CHECK(!span_scheme(Strings{"B-", "O"}));
  CHECK(!span_scheme(Strings{"X-PER", "O"}));
}

TEST_CASE("schemes with other letters are detected if all labels fit") {
  const auto name_of = [](const Strings& labels) {
    const auto scheme = span_scheme(labels);
    return scheme ? scheme->description() : "";
  };
  CHECK(name_of({"O", "B-PER", "I-PER", "L-PER", "U-LOC"}) == "BILOU");
  CHECK(name_of({"O", "U-LOC"}) == "BILOU");
  CHECK(name_of({"O", "B-PER", "L-PER"}) == "BILO");
  CHECK(name_of({"B-PER", "M-PER", "E-PER", "S-PER"}) == "BMESO");
  CHECK(name_of({"O", "B_PER", "I_PER"}) == "IOB2 with _");
  CHECK(name_of({"O", "B_PER", "L_PER", "U_PER"}) == "BILOU with _");
  CHECK(name_of({"O", "B-PER", "I_PER"}) == "");
  CHECK(name_of({"B-PER", "M-PER", "U-PER"}) == "");
  // These may be anything.
  CHECK(name_of({"I_like", "E_books", "O"}) == "");
  CHECK(name_of({"M-SG", "L-PL"}) == "");
}

TEST_CASE("IOB1 and IOB2 are distinguished by how spans begin") {
  const auto signs_of = [](const std::vector<Strings>& sentences) {
    IobSigns signs;
    for (const Strings& labels : sentences) add_signs(labels, signs);
    return signs;
  };
  CHECK(signs_of({{"I-A", "O", "I-A", "I-A"}}).means_iob1());
  CHECK(signs_of({{"I-A", "B-A", "I-A"}, {"I-B", "I-A"}}).means_iob1());
  CHECK_FALSE(signs_of({{"B-A", "B-A", "I-A"}}).means_iob1());
  CHECK_FALSE(signs_of({{"O", "O"}}).means_iob1());
  CHECK_FALSE(signs_of({{"I-A", "O"}, {"O", "B-A"}}).means_iob1());
  CHECK_FALSE(signs_of({{"I-A", "B-B"}}).means_iob1());
  CHECK(convert_spans(Strings{"I-A", "B-A", "I-A", "I-B", "O", "I-B"}, SpanScheme::iob2) ==
        Strings{"B-A", "B-A", "I-A", "B-B", "O", "B-B"});
}

TEST_CASE("labels that a scheme does not allow are refused") {
  CHECK(error_of(SpanScheme::iob2, {"O", "B-A", "I-A", "B-A", "B-B", "O"}) == "");
  CHECK(error_of(SpanScheme::bioes, {"S-A", "B-A", "I-A", "E-A", "B-B", "E-B", "O", "S-A"}) == "");
  CHECK(error_of(SpanScheme::iob2, {}) == "");
  CHECK(error_of(SpanScheme::iob2, {"O", "I-A"}) ==
        "file: line 11: found the label 'I-A' after 'O'; expected B-A to begin a span (IOB2); "
        "fix the file");
  CHECK(error_of(SpanScheme::iob2, {"B-A", "I-B"}) ==
        "file: line 11: found the label 'I-B' after 'B-A'; expected B-B to begin a span (IOB2); "
        "fix the file");
  CHECK(
      error_of(SpanScheme::iob2, {"I-A"}) ==
      "file: line 10: found the label 'I-A' at the beginning of a sentence; expected B-A to begin "
      "a span (IOB2); fix the file");
  CHECK(error_of(SpanScheme::iob2, {"O", "S-A"}) ==
        "file: line 11: found the label 'S-A'; expected O, B- or I-TYPE (IOB2); fix the file");
  CHECK(error_of(SpanScheme::iob2, {"NN"}) ==
        "file: line 10: found the label 'NN'; expected O, B- or I-TYPE (IOB2); fix the file");
  CHECK(error_of(SpanScheme::bioes, {"B-A", "O"}) ==
        "file: line 11: found the label 'O' after 'B-A'; expected I-A or E-A to continue the span "
        "(BIOES); fix the file");
  CHECK(error_of(SpanScheme::bioes, {"B-A", "I-A"}) ==
        "file: line 11: found the label 'I-A' at the end of a sentence; expected I-A or E-A to "
        "continue the span (BIOES); fix the file");
  CHECK(error_of(SpanScheme::bioes, {"B-A", "E-A", "E-A"}) ==
        "file: line 12: found the label 'E-A' after 'E-A'; expected B- or S-A to begin a span "
        "(BIOES); fix the file");
  const SpanScheme bilou = *span_scheme(Strings{"B_A", "U_A"});
  CHECK(error_of(bilou, {"U_A", "B_A", "I_A", "L_A", "O"}) == "");
  CHECK(error_of(bilou, {"B_A", "O"}) ==
        "file: line 11: found the label 'O' after 'B_A'; expected I_A or L_A to continue the span "
        "(BILOU with _); fix the file");
  CHECK(error_of(bilou, {"L_A"}) ==
        "file: line 10: found the label 'L_A' at the beginning of a sentence; expected B_ or U_A "
        "to begin a span (BILOU with _); fix the file");
  CHECK(error_of(bilou, {"B-A"}) ==
        "file: line 10: found the label 'B-A'; expected O, B_, I_, L_ or U_TYPE (BILOU with _); "
        "fix the file");
  const SpanScheme bilo = *span_scheme(Strings{"B-A", "L-A"});
  CHECK(error_of(bilo, {"B-A", "B-A", "L-A", "O", "B-A"}) == "");
  CHECK(error_of(bilo, {"B-A", "I-A", "O"}) != "");
  const std::string long_type(1000, 'x');
  CHECK(error_of(SpanScheme::iob2, {"I-" + long_type}).size() < 600);
  CHECK(error_of(SpanScheme::bioes, {"B-" + long_type, "O"}).size() < 800);
  CHECK(error_of(SpanScheme::bioes, {"B-A", "B-A"}) != "");
  CHECK(error_of(SpanScheme::bioes, {"B-A", "E-B"}) != "");
  CHECK(error_of(SpanScheme::bioes, {"S-A", "I-A"}) != "");
}

TEST_CASE("spans are read as conlleval reads them") {
  CHECK(spans_of(Strings{}) == Found{});
  CHECK(spans_of(Strings{"O", "B-A", "I-A", "B-A", "I-B", "O"}) ==
        Found{{1, 3, "A"}, {3, 4, "A"}, {4, 5, "B"}});
  CHECK(spans_of(Strings{"I-A", "I-A", "O", "E-A"}) == Found{{0, 2, "A"}, {3, 4, "A"}});
  CHECK(spans_of(Strings{"S-A", "B-A", "E-A", "I-A"}) ==
        Found{{0, 1, "A"}, {1, 3, "A"}, {3, 4, "A"}});
  CHECK(spans_of(Strings{"NN", "B-A-B"}) == Found{{1, 2, "A-B"}});
}

TEST_CASE("spans survive encoding in either scheme") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Found spans;
    std::size_t size = 0;
    while (size < 20) {
      size += random() % 3;
      const std::size_t length = 1 + random() % 3;
      spans.push_back({size, size + length, random() % 2 == 0 ? "A" : "B"});
      size += length;
    }
    for (const SpanScheme& scheme :
         {SpanScheme::iob2, SpanScheme::bioes, *span_scheme(Strings{"B-A", "L-A"}),
          *span_scheme(Strings{"U-A"}), *span_scheme(Strings{"B_A", "M_A"})}) {
      CAPTURE(scheme.description());
      const Strings labels = labels_of(spans, size, scheme);
      CHECK(error_of(scheme, labels) == "");
      CHECK(spans_of(labels) == spans);
      CHECK(convert_spans(convert_spans(labels, SpanScheme::bioes), scheme) == labels);
    }
  }
}

TEST_CASE("label transitions are those of the scheme") {
  const LabelTransitions iob = label_transitions(Strings{"O", "B-A", "I-A", "B-B"});
  CHECK(iob.begins == std::vector<std::uint8_t>{1, 1, 0, 1});
  CHECK(iob.ends == std::vector<std::uint8_t>{1, 1, 1, 1});
  CHECK(iob.follows == std::vector<std::uint8_t>{1, 1, 0, 1,    // O
                                                 1, 1, 1, 1,    // B-A
                                                 1, 1, 1, 1,    // I-A
                                                 1, 1, 0, 1});  // B-B
  const LabelTransitions bioes = label_transitions(Strings{"O", "B-A", "I-A", "E-A", "S-A"});
  CHECK(bioes.begins == std::vector<std::uint8_t>{1, 1, 0, 0, 1});
  CHECK(bioes.ends == std::vector<std::uint8_t>{1, 0, 0, 1, 1});
  CHECK(bioes.follows == std::vector<std::uint8_t>{1, 1, 0, 0, 1,    // O
                                                   0, 0, 1, 1, 0,    // B
                                                   0, 0, 1, 1, 0,    // I
                                                   1, 1, 0, 0, 1,    // E
                                                   1, 1, 0, 0, 1});  // S
  // A sentence of one token has a label even if the training data had no O and no short span.
  const LabelTransitions longer = label_transitions(Strings{"B-A", "I-A", "E-A"});
  CHECK(longer.begins == longer.ends);
  const LabelTransitions other = label_transitions(Strings{"NOUN", "VERB"});
  CHECK(other.follows == std::vector<std::uint8_t>(4, 1));
}

}  // namespace elmo
