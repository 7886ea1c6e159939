#include "io/train/provenance.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/fixtures/models.h"

namespace elmo {
namespace {

TEST_CASE("each training option except the threads is part of a run's provenance") {
  const Vocabulary vocabulary({"<S>", "</S>", "<UNK>", "word"});
  const auto provenance = [&](const TrainingOptions& training) {
    return training_provenance(small_options(), training, vocabulary, "corpus 1");
  };
  const Provenance plain = provenance({});
  std::vector<TrainingOptions> others(14);
  others[0].state = TrainingState::carry;
  others[1].lanes = 3;
  others[2].unroll = 3;
  others[3].samples = 3;
  others[4].dropout = 0.3F;
  others[5].optimizer = Optimizer::adagrad;
  others[6].learning_rate = 0.3F;
  others[7].weight_decay = 0.3F;
  others[8].initial_accumulator = 0.3F;
  others[9].warmup_steps = 3;
  others[10].decay = Decay::linear;
  others[11].total_steps = 3;
  others[12].gradient_clip = 0.3F;
  others[13].seed = 3;
  for (const TrainingOptions& other : others) {
    CHECK_FALSE(provenance_difference(plain, provenance(other)).empty());
  }
  TrainingOptions frozen;
  frozen.frozen_steps = 3;
  CHECK(provenance_difference(plain, provenance(frozen)).text() == "frozen_steps was 0 and is 3");
  TrainingOptions threads;
  threads.threads = 3;
  CHECK(provenance(threads) == plain);

  // A run may be resumed with other ranks and threads.
  const auto difference = [&plain](int ranks, int each, int now, int each_now) {
    const Provenance before = with_ranks(plain, ranks, each);
    const Provenance after = with_ranks(plain, now, each_now);
    CHECK(training_difference(before, after).empty());
    return shares_difference(before, after);
  };
  CHECK(with_ranks(plain, 1, 2).back() == std::pair<std::string, std::string>("threads", "2"));
  CHECK(difference(1, 2, 1, 3) == "3 threads instead of 2 threads");
  CHECK(difference(2, 1, 2, 1) == "");
  CHECK(difference(2, 1, 2, 4) == "2 ranks of 4 threads instead of 2 ranks of 1 thread");
  CHECK(difference(2, 1, 1, 4) == "4 threads instead of 2 ranks of 1 thread");
  CHECK(shares_difference(plain, plain) == "");
  CHECK(training_difference(with_ranks(plain, 2, 1), with_ranks(provenance(frozen), 1, 1)).text() ==
        "frozen_steps was 0 and is 3");

  const Vocabulary more({"<S>", "</S>", "<UNK>", "other"});
  CHECK(training_provenance(small_options(), {}, more, "corpus 1") != plain);
  CHECK(training_provenance(small_options(), {}, vocabulary, "corpus 2") != plain);
  CHECK(training_provenance(model_case("one layer"), {}, vocabulary, "corpus 1") != plain);
}

TEST_CASE("a task continues with a tokenizer that splits new text nearly alike") {
  const auto difference = [](const char* before, const char* now) {
    return training_difference({{kTokenizer, before}}, {{kTokenizer, now}}).text();
  };
  constexpr const char* kOld =
      R"({"name":"ud","rules":1,"icu":"72.1","unicode":"15.0","locale":"en"})";
  constexpr const char* kNew =
      R"({"name":"ud","rules":3,"icu":"76.1","unicode":"16.0","locale":"en"})";
  constexpr const char* kGerman =
      R"({"name":"ud","rules":3,"icu":"76.1","unicode":"16.0","locale":"de"})";
  CHECK(difference(kOld, kNew).empty());
  CHECK_FALSE(difference(kNew, kOld).empty());
  CHECK_FALSE(difference(kOld, kGerman).empty());
  CHECK_FALSE(difference("ud 72.1, Unicode 15.0, locale en, rules 2",
                         "ud 72.1, Unicode 15.0, locale en, rules 3")
                  .empty());
}

}  // namespace
}  // namespace elmo
