// A biLM of ELMoForManyLangs, written plainly from the equations of its program, one number at a
// time, in double precision. It reads the tensors as stored in the files, and shares nothing with
// core or io.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace elmo {

/// The contents of the two JSON files and the two dictionaries of a model.
struct ManyLangsSpec {
  std::int64_t projection_dim = 8;  // P
  std::int64_t dim = 16;            // D
  std::int64_t n_layers = 2;
  double cell_clip = 1.0;  // 0: none
  double proj_clip = 0.5;
  std::string embedder = "cnn";
  std::string activation = "relu";
  std::int64_t word_dim = 5;
  std::int64_t char_dim = 4;
  std::vector<std::pair<std::int64_t, std::int64_t>> filters{{1, 4}, {2, 8}, {5, 12}};
  std::int64_t n_highway = 2;
  std::int64_t max_characters = 12;
  std::vector<std::string> words;       // by row
  std::vector<std::string> characters;  // by row

  std::int64_t filter_count() const;
};

/// A tensor as saved, row-major.
struct SavedTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// The tensors of one file, by name.
using SavedTensors = std::map<std::string, SavedTensor>;

/// Returns all tensors of such a model, in token_embedder.pkl and encoder.pkl, with values of 0.
std::array<SavedTensors, 2> many_langs_tensors(const ManyLangsSpec& spec);

class ReferenceManyLangs {
 public:
  /// h and c of each layer, [direction][layer].
  struct State {
    std::array<std::vector<std::vector<double>>, 2> h;
    std::array<std::vector<std::vector<double>>, 2> c;
  };

  ReferenceManyLangs(ManyLangsSpec spec, std::array<SavedTensors, 2> tensors);

  State zero_state() const;

  /// Returns [layer][token][2P] like the original program, without the two boundaries. `state`
  /// becomes the state after the sentence.
  std::vector<std::vector<std::vector<double>>> layers(const std::vector<std::string>& sentence,
                                                       State& state) const;

  /// Returns the vector x of a token.
  std::vector<double> token(const std::string& token) const;

 private:
  double at(const std::string& name, std::vector<std::int64_t> index) const;
  std::vector<double> linear(const std::string& name, const std::vector<double>& x,
                             bool has_bias) const;
  std::vector<double> characters(const std::u32string& token, bool boundary) const;
  std::vector<double> step(const std::string& layer, const std::vector<double>& x,
                           std::vector<double>& h, std::vector<double>& c) const;

  ManyLangsSpec spec_;
  SavedTensors tensors_;
};

}  // namespace elmo
