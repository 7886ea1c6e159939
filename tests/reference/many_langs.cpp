#include "tests/reference/many_langs.h"

#include <algorithm>
#include <cmath>

#include "tests/reference/equations.h"

namespace elmo {
namespace {

double clipped(double x, double clip) {
  return clip == 0.0 ? x : std::min(std::max(x, -clip), clip);
}

std::u32string decoded(const std::string& utf8) {
  std::u32string text;
  for (const char each : utf8) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x80) {
      text += byte;
    } else if (byte < 0xC0) {
      text.back() = text.back() * 64 + (byte - 0x80U);
    } else if (byte < 0xE0) {
      text += byte - 0xC0U;
    } else if (byte < 0xF0) {
      text += byte - 0xE0U;
    } else {
      text += byte - 0xF0U;
    }
  }
  return text;
}

/// Returns the row of an entry, or of `<oov>` if there is none.
std::int64_t row_of(const std::vector<std::string>& entries, const std::u32string& entry) {
  std::int64_t unknown = -1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (decoded(entries[i]) == entry) return static_cast<std::int64_t>(i);
    if (entries[i] == "<oov>") unknown = static_cast<std::int64_t>(i);
  }
  return unknown;
}

std::string prefix(int direction, std::int64_t layer) {
  return (direction == 0 ? "forward_layer_" : "backward_layer_") + std::to_string(layer) + ".";
}

}  // namespace

std::int64_t ManyLangsSpec::filter_count() const {
  std::int64_t sum = 0;
  for (const auto& [width, count] : filters) sum += count;
  return sum;
}

std::array<SavedTensors, 2> many_langs_tensors(const ManyLangsSpec& spec) {
  std::array<SavedTensors, 2> files;
  const auto add = [&](int file, const std::string& name, std::vector<std::int64_t> shape) {
    std::size_t size = 1;
    for (const std::int64_t extent : shape) size *= static_cast<std::size_t>(extent);
    files[static_cast<std::size_t>(file)][name] = {std::move(shape), std::vector<float>(size)};
  };
  const std::int64_t filters = spec.filter_count();
  if (spec.word_dim > 0) {
    add(0, "word_emb_layer.embedding.weight",
        {static_cast<std::int64_t>(spec.words.size()), spec.word_dim});
  }
  if (spec.char_dim > 0) {
    add(0, "char_emb_layer.embedding.weight",
        {static_cast<std::int64_t>(spec.characters.size()), spec.char_dim});
    for (std::size_t i = 0; i < spec.filters.size(); ++i) {
      const std::string name = "convolutions." + std::to_string(i);
      add(0, name + ".weight", {spec.filters[i].second, spec.char_dim, spec.filters[i].first});
      add(0, name + ".bias", {spec.filters[i].second});
    }
    for (std::int64_t k = 0; k < spec.n_highway; ++k) {
      const std::string name = "highways._layers." + std::to_string(k);
      add(0, name + ".weight", {2 * filters, filters});
      add(0, name + ".bias", {2 * filters});
    }
  }
  add(0, "projection.weight",
      {spec.projection_dim, spec.word_dim + (spec.char_dim > 0 ? filters : 0)});
  add(0, "projection.bias", {spec.projection_dim});
  for (const int direction : {0, 1}) {
    for (std::int64_t layer = 0; layer < spec.n_layers; ++layer) {
      const std::string name = prefix(direction, layer);
      add(1, name + "input_linearity.weight", {4 * spec.dim, spec.projection_dim});
      add(1, name + "state_linearity.weight", {4 * spec.dim, spec.projection_dim});
      add(1, name + "state_linearity.bias", {4 * spec.dim});
      add(1, name + "state_projection.weight", {spec.projection_dim, spec.dim});
    }
  }
  return files;
}

ReferenceManyLangs::ReferenceManyLangs(ManyLangsSpec spec, std::array<SavedTensors, 2> tensors)
    : spec_(std::move(spec)), tensors_(std::move(tensors[0])) {
  tensors_.merge(tensors[1]);
}

ReferenceManyLangs::State ReferenceManyLangs::zero_state() const {
  State state;
  for (const std::size_t direction : {0U, 1U}) {
    const auto layers = static_cast<std::size_t>(spec_.n_layers);
    state.h[direction].assign(layers,
                              std::vector<double>(static_cast<std::size_t>(spec_.projection_dim)));
    state.c[direction].assign(layers, std::vector<double>(static_cast<std::size_t>(spec_.dim)));
  }
  return state;
}

double ReferenceManyLangs::at(const std::string& name, std::vector<std::int64_t> index) const {
  const SavedTensor& tensor = tensors_.at(name);
  std::int64_t place = 0;
  for (std::size_t i = 0; i < index.size(); ++i) place = place * tensor.shape[i] + index[i];
  return tensor.values[static_cast<std::size_t>(place)];
}

std::vector<double> ReferenceManyLangs::linear(const std::string& name,
                                               const std::vector<double>& x, bool has_bias) const {
  const std::int64_t outputs = tensors_.at(name + ".weight").shape[0];
  std::vector<double> y;
  for (std::int64_t o = 0; o < outputs; ++o) {
    double sum = has_bias ? at(name + ".bias", {o}) : 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] * at(name + ".weight", {o, static_cast<std::int64_t>(i)});
    }
    y.push_back(sum);
  }
  return y;
}

std::vector<double> ReferenceManyLangs::characters(const std::u32string& token,
                                                   bool boundary) const {
  std::vector<std::int64_t> ids{row_of(spec_.characters, U"<eow>")};
  if (boundary) {
    ids.push_back(row_of(spec_.characters, token));
  } else {
    for (const char32_t c : token) ids.push_back(row_of(spec_.characters, std::u32string(1, c)));
  }
  ids.push_back(row_of(spec_.characters, U"<bow>"));
  while (static_cast<std::int64_t>(ids.size()) < spec_.max_characters) {
    ids.push_back(row_of(spec_.characters, U"<pad>"));
  }
  std::vector<double> y;
  for (std::size_t bank = 0; bank < spec_.filters.size(); ++bank) {
    const auto [width, count] = spec_.filters[bank];
    const std::string name = "convolutions." + std::to_string(bank);
    for (std::int64_t n = 0; n < count; ++n) {
      double best = 0.0;
      for (std::int64_t t = 0; t + width <= spec_.max_characters; ++t) {
        double sum = at(name + ".bias", {n});
        for (std::int64_t w = 0; w < width; ++w) {
          for (std::int64_t c = 0; c < spec_.char_dim; ++c) {
            sum +=
                at("char_emb_layer.embedding.weight", {ids[static_cast<std::size_t>(t + w)], c}) *
                at(name + ".weight", {n, c, w});
          }
        }
        best = t == 0 ? sum : std::max(best, sum);
      }
      y.push_back(spec_.activation == "relu" ? std::max(best, 0.0) : std::tanh(best));
    }
  }
  for (std::int64_t k = 0; k < spec_.n_highway; ++k) {
    const std::vector<double> both = linear("highways._layers." + std::to_string(k), y, true);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double gate = reference_sigmoid(both[y.size() + i]);
      y[i] = gate * y[i] + (1.0 - gate) * std::max(both[i], 0.0);
    }
  }
  return y;
}

std::vector<double> ReferenceManyLangs::token(const std::string& text) const {
  std::u32string token = decoded(text);
  const auto most = static_cast<std::size_t>(spec_.max_characters - 2);
  if (spec_.embedder == "cnn" && token.size() > most) token.resize(most);
  std::vector<double> x;
  if (spec_.word_dim > 0) {
    const std::int64_t row = row_of(spec_.words, token);
    for (std::int64_t i = 0; i < spec_.word_dim; ++i) {
      x.push_back(at("word_emb_layer.embedding.weight", {row, i}));
    }
  }
  if (spec_.char_dim > 0) {
    const std::vector<double> y = characters(token, token == U"<bos>" || token == U"<eos>");
    x.insert(x.end(), y.begin(), y.end());
  }
  return linear("projection", x, true);
}

std::vector<double> ReferenceManyLangs::step(const std::string& layer, const std::vector<double>& x,
                                             std::vector<double>& h, std::vector<double>& c) const {
  const std::vector<double> of_input = linear(layer + "input_linearity", x, false);
  const std::vector<double> of_state = linear(layer + "state_linearity", h, true);
  const std::size_t cells = c.size();
  std::vector<double> hidden;
  for (std::size_t d = 0; d < cells; ++d) {
    const auto sum = [&](std::size_t gate) {
      return of_input[gate * cells + d] + of_state[gate * cells + d];
    };
    c[d] = clipped(reference_sigmoid(sum(0)) * std::tanh(sum(2)) + reference_sigmoid(sum(1)) * c[d],
                   spec_.cell_clip);
    hidden.push_back(reference_sigmoid(sum(3)) * std::tanh(c[d]));
  }
  h = linear(layer + "state_projection", hidden, false);
  for (double& value : h) value = clipped(value, spec_.proj_clip);
  return h;
}

std::vector<std::vector<std::vector<double>>> ReferenceManyLangs::layers(
    const std::vector<std::string>& sentence, State& state) const {
  std::vector<std::vector<double>> x{token("<bos>")};
  for (const std::string& each : sentence) x.push_back(token(each));
  x.push_back(token("<eos>"));
  std::array<std::vector<std::vector<double>>, 2> inputs{x, {x.rbegin(), x.rend()}};
  std::vector<std::vector<std::vector<double>>> result;
  const auto put = [&] {
    std::vector<std::vector<double>> rows;
    for (std::size_t t = 1; t + 1 < x.size(); ++t) {
      rows.push_back(inputs[0][t]);
      const std::vector<double>& backward = inputs[1][x.size() - 1 - t];
      rows.back().insert(rows.back().end(), backward.begin(), backward.end());
    }
    result.push_back(rows);
  };
  put();
  for (std::int64_t layer = 0; layer < spec_.n_layers; ++layer) {
    const auto number = static_cast<std::size_t>(layer);
    for (const int direction : {0, 1}) {
      const auto side = static_cast<std::size_t>(direction);
      for (std::vector<double>& each : inputs[side]) {
        const std::vector<double> y =
            step(prefix(direction, layer), each, state.h[side][number], state.c[side][number]);
        for (std::size_t i = 0; i < each.size(); ++i) each[i] = y[i] + (layer > 0 ? each[i] : 0.0);
      }
    }
    put();
  }
  return result;
}

}  // namespace elmo
