#include "cli/probe/report.h"

#include <doctest/doctest.h>

using namespace elmo;

TEST_CASE("accuracies of layers become table rows, JSON members and dots of a picture") {
  ProbeSummary summary;
  summary.labels = 3;
  summary.train_tokens = 10;
  summary.train_sentences = 2;
  summary.dev.tokens = 5;
  summary.dev.sentences = 1;
  summary.dev.unseen_labels = 1;
  summary.dev.score.accuracy = 20;
  ProbeResult layer;
  layer.layer = "x";
  layer.epoch = 4;
  layer.dev.accuracy = 75;
  layer.dev.low = 70;
  layer.dev.high = 80;
  summary.layers = {layer};
  const std::string table = probe_table(summary);
  CHECK_MESSAGE(
      table.find("x                75.00   70.00 - 80.00      0.00      4\n") != std::string::npos,
      table);
  CHECK_MESSAGE(table.find("dev: 5 tokens in 1 sentence, 0 of unknown words, 1 with labels") !=
                    std::string::npos,
                table);
  CHECK(table.find("test") == std::string::npos);
  CHECK(probe_json(summary).find("\"epoch\": 4") != std::string::npos);
  CHECK(probe_svg(summary).find("most frequent") != std::string::npos);
}
