// Words, the mixes that options make, and the concatenation. The tests of the models cover the
// vectors.
#include "core/tasks/common/token_vectors.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/core/tasks/little_texts.h"

namespace elmo {

TEST_CASE("words have rows from 1 on, and unknown words row 0") {
  WordVocabulary words;
  CHECK(words.rows() == 1);
  CHECK(words.add("a", true));
  CHECK(words.add("A", false));
  CHECK_FALSE(words.add("a", false));
  CHECK(words.rows() == 3);
  CHECK(words.row("a") == 1);
  CHECK(words.row("A") == 2);
  CHECK(words.row("b") == 0);
  CHECK(words.is_rare(1));
  CHECK_FALSE(words.is_rare(2));
  CHECK_FALSE(words.is_rare(0));
  CHECK(words.words() == std::vector<std::string>{"a", "A"});
}

TEST_CASE("layer weights are fixed by the kind of mix") {
  TaskOptions options;
  options.bilm = {2, 4};
  CHECK_FALSE(fixed_shares(options).has_value());
  options.mix.kind = MixKind::top;
  CHECK(fixed_shares(options) == std::vector<float>{0, 0, 1});
  options.mix.kind = MixKind::layer;
  options.mix.layer = 1;
  CHECK(fixed_shares(options) == std::vector<float>{0, 1, 0});
  options.mix.kind = MixKind::average;
  CHECK(fixed_shares(options) == std::vector<float>(3, 1.0F / 3));
}

TEST_CASE("each place has a mix, unless the layers are concatenated") {
  TaskOptions options;
  options.elmo = ElmoPlace::both;
  CHECK(mix_places(options) == std::vector{ElmoPlace::input, ElmoPlace::output});
  options.elmo = ElmoPlace::output;
  CHECK(mix_places(options) == std::vector{ElmoPlace::output});
  options.mix.kind = MixKind::concat;
  CHECK(mix_places(options).empty());
}

TEST_CASE("a concatenation learns nothing, and its dropout keeps the scale") {
  TaskOptions options = little_options(ElmoPlace::input);
  options.mix.kind = MixKind::concat;
  options.mix.dropout = 0.5F;
  LittleTexts texts(options.bilm);
  texts.add({0, 1, 2}, 0);
  texts.add({3}, 0);
  std::vector<TaskText> views;
  for (const TaskExample& example : texts.batch()) views.push_back(example.texts[0]);
  ElmoLayers layers(options, ElmoPlace::input, 1);
  CHECK(layers.parameters().empty());
  REQUIRE(layers.columns() == 6);

  constexpr std::int64_t kBefore = 2;  // columns that belong to others
  Matrix rows(4, kBefore + 6);
  layers.forward(views, {.training = true, .seed = 3}, rows, kBefore);
  int dropped = 0;
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    CHECK(rows.row(row)[0] == 0.0F);
    const TaskText& text = views[row < 3 ? 0 : 1];
    const float* values = text.activations.data() + (row < 3 ? row : 0) * 6;
    for (std::int64_t column = 0; column < 6; ++column) {
      const float value = rows.row(row)[kBefore + column];
      if (value == 0.0F) ++dropped;
      CHECK((value == 0.0F || value == 2 * values[column]));
    }
  }
  CHECK(dropped > 3);
  CHECK(dropped < 21);
  CHECK(layers.backward(rows, kBefore, {.training = true}) == 0.0);
}

}  // namespace elmo
