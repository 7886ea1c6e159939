// Coreference documents in columns.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/coref/coref_scores.h"
#include "io/tasks/documents.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using Numbers = std::vector<std::int32_t>;
using Clusters = std::vector<MentionCluster>;

/// The genre and the speakers of a document.
Numbers given_of(const ExampleGroup& group) {
  const auto& gold = group.records.at(0).gold->as<CorefGold>();
  Numbers given{gold.genre};
  given.insert(given.end(), gold.speakers.begin(), gold.speakers.end());
  return given;
}

Clusters clusters_of(const ExampleGroup& group) {
  return group.records.at(0).gold->as<CorefGold>().clusters;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("documents of columns") {
  LabelSet labels;
  const auto groups = read_groups("coref",
                                  "#begin document (bc/cctv/00/x); part 001\n"
                                  "bc/cctv/00/x 1 0 The DT (NP* - - - Ann * (0\n"
                                  "bc/cctv/00/x   1   1   dog   NN   *)   -  -  -  Ann  *  0)|(1)\n"
                                  "\n"
                                  "bc/cctv/00/x 1 0 It PRP * - - - - * (0)|(12\n"
                                  "bc/cctv/00/x 1 1 barks VBZ * - - - - * 12)\n"
                                  "\n"
                                  "#end document\n"
                                  "# a remark\n"
                                  "#begin document (y); part 000\n"
                                  "y 0 0 a -\n"
                                  "#begin document (z);\n"
                                  "z\t0\t0\tb\t_\n"
                                  "#begin document (w); part 00123456789012345678901234567890\n"
                                  "w 0 0 a -\n",
                                  labels);
  REQUIRE(groups.size() == 4);
  CHECK(groups[0].texts[0].document->id == "bc/cctv/00/x_1");
  CHECK(groups[0].texts.size() == 2);
  CHECK(groups[0].texts[0].text() == "The dog");
  CHECK(groups[0].texts[1].line == 5);
  CHECK(given_of(groups[0]) == Numbers{0, 0, -1});
  CHECK(clusters_of(groups[0]) == Clusters{{{0, 2}, {2, 3}}, {{1, 2}}, {{2, 4}}});
  CHECK(groups[1].texts[0].document->id == "y_0");
  CHECK(given_of(groups[1]) == Numbers{-1, -1});
  CHECK(groups[2].texts[0].document->id == "z");
  CHECK(groups[3].texts[0].document->id == "w_123456789012345678901234567890");
  CHECK(labels.names() == std::vector<std::string>{"bc"});
}

TEST_CASE("a mention in columns may be inside another of the same cluster") {
  LabelSet labels;
  const auto groups = read_groups("coref",
                                  "d 0 0 a (3|(3\n"
                                  "d 0 1 b 3)\n"
                                  "d 0 2 c 3)\n",
                                  labels);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].texts[0].document->id == "d_0");
  CHECK(clusters_of(groups[0]) == Clusters{{{0, 2}, {0, 3}}});
}

TEST_CASE("clusters in columns that share a mention are joined") {
  LabelSet labels;
  for (const char* text : {"d 0 0 a (0)|(1)\nd 0 1 b (1)\nd 0 2 c (0)\n",
                           "d 0 0 a (0)\nd 0 1 b (1)\nd 0 2 c (1)|(0)|(1)\n"}) {
    const auto groups = read_groups("coref", text, labels);
    REQUIRE(groups.size() == 1);
    CHECK(clusters_of(groups[0]) == Clusters{{{0, 1}, {1, 2}, {2, 3}}});
  }
}

TEST_CASE("clusters are joined in a chain") {
  LabelSet labels;
  const auto groups = read_groups("coref",
                                  "d 0 0 a (0)|(1)\nd 0 1 b (1)|(2)\nd 0 2 c (3)|(2)\n"
                                  "d 0 3 d (3)\nd 0 4 e (4)\n",
                                  labels);
  REQUIRE(groups.size() == 1);
  CHECK(clusters_of(groups[0]) == Clusters{{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {{4, 5}}});
}

TEST_CASE("errors of columns name the file and the line") {
  struct Case {
    std::string text, found;
  };
  for (const Case& one : std::vector<Case>{
           {"d 0 0 a (0\nd 0 1 b -\n", "begins in line 1"},
           {"d 0 0 a (0\n#end document\n", "begins in line 1"},
           {"d 0 0 a -\nd 0 1 b 0)\n", "line 2: found the end of a mention of cluster 0"},
           {"d 0 0 a x\n", "line 1: found 'x' in the last column"},
           {"d 0 0 a (x)\n", "line 1: found '(x)'"},
           {"d 0 0 a ()\n", "line 1: found '()'"},
           {"d 0 0 a\n", "line 1: found 4 columns"},
           {"#begin document d\n", "line 1: found no name"}}) {
    const std::string error = error_of_groups("coref", one.text);
    CAPTURE(one.text);
    CAPTURE(error);
    CHECK(contains(error, "input: line "));
    CHECK(contains(error, one.found));
  }
  CHECK(contains(error_of_groups("coref", "#begin document (d);\n#end document\n"),
                 "found no document"));
}

}  // namespace elmo
