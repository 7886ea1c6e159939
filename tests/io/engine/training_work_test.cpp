#include "io/engine/training_work.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "io/engine/listener.h"
#include "io/train/run_folder.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

namespace {

struct Text {
  TempDir folder;
  TrainRequest request;

  Text() {
    write_file(folder / "text", "a b a\nc a\n");
    request.input.files = {(folder / "text").string()};
    request.input.format = InputFormat::tokens;
    request.training.threads = 1;
    request.plan.steps = 3;
  }

  EncodedCorpus encoded() {
    RunListener listener;
    return encoded_corpus(request, request.input, folder / "corpus", listener, kNeverStop).value();
  }

  TrainingWork work(const std::string& model) {
    TrainingStart start;
    start.reading = request.input;
    start.plan = request.plan;
    start.limits = request.limits;
    start.model = model_case(model);
    start.name = "random";
    return make_work(request, std::move(start), encoded());
  }
};

}  // namespace

TEST_CASE("a training request names an architecture or a model") {
  RunListener listener;
  CHECK_THROWS_AS(training_start({}, listener), RequestError);
}

TEST_CASE("an architecture of words limits the vocabulary") {
  const TempDir folder;
  const std::string text =
      R"({"lstm": {"dim": 8, "projection_dim": 4, "n_layers": 1, "cell_clip": 3, "proj_clip": 3,
          "use_skip_connections": false}, "n_tokens_vocab": 50})";
  write_file(folder / "options.json", text);
  TrainRequest request;
  request.architecture.options = (folder / "options.json").string();
  request.output = "run";
  RunListener listener;
  const TrainingStart start = training_start(request, listener);
  CHECK(!start.model.char_cnn);
  CHECK(!start.parameters);
  CHECK(start.limits.max_words == 50);
  CHECK(start.reading.tokenizer.kind == TokenizerKind::ud);
}

TEST_CASE("work has a plan, random parameters and a softmax over the counted words") {
  Text text;
  const TrainingWork work = text.work("as published");
  CHECK(work.options.total_steps == 3);
  CHECK(work.parameters.count() > 0);
  CHECK(work.softmax.vocabulary.size() == 6);  // with <S>, </S> and <UNK>
  CHECK(work.read_words() == nullptr);
  CHECK(work.start == "random");
  CHECK(lines_of(work, text.encoded()).size() == 2);
}

TEST_CASE("a word-level model reads the words of its softmax") {
  Text text;
  text.request.limits.max_words = 4;
  const TrainingWork work = text.work("words");
  REQUIRE(work.read_words() != nullptr);
  CHECK(work.read_words()->size() == 4);
  CHECK(work.model.n_tokens_vocab == 4);
}

TEST_CASE("a vocabulary file replaces the counted one") {
  Text text;
  write_file(text.folder / "words", "<S>\n</S>\n<UNK>\na\n");
  text.request.vocabulary = (text.folder / "words").string();
  CHECK(text.work("as published").softmax.vocabulary.size() == 4);
  write_file(text.folder / "words", "a\n");
  CHECK_THROWS_AS(text.work("as published"), InputError);
}

TEST_CASE("another rank only accepts the text that rank 0 encoded") {
  Text text;
  text.request.output = text.folder.path().string();
  const auto tokens = [&](const std::filesystem::path& path) {
    return corpus_of_rank_0(text.request, text.request.input, path).tokens().size();
  };
  CHECK_THROWS_AS(tokens(text.folder / "corpus"), SystemError);
  const EncodedCorpus encoded = text.encoded();
  CHECK(tokens(encoded.path()) == 5);
  CHECK_THROWS_AS(tokens(text.folder / "corpus"), SystemError);
}
