#include "io/shard/manifest/input_hash.h"

#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/files/checksum.h"

namespace elmo {
namespace {

void add_number(std::string& bytes, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

void add_text(std::string& bytes, std::string_view text) {
  add_number(bytes, text.size());
  bytes += text;
}

}  // namespace

InputHash::InputHash(std::string hex) : digest_(std::move(hex)) {
  if (digest_.size() != kDigits ||
      digest_.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw InputError("'" + digest_ + "' is no hash of an input; expected " +
                     std::to_string(kDigits) + " hexadecimal digits");
  }
}

void InputHash::add(const Sentence& sentence, std::uint64_t number, bool boundaries) {
  if (sentence.is_left_out()) return;
  const std::size_t first = boundaries && sentence.size() > 0 ? 1 : 0;
  const std::size_t last = sentence.size() - first;
  bytes_ = digest_;
  add_number(bytes_, sentence.document->number);
  add_text(bytes_, sentence.document->id);
  add_number(bytes_, sentence.line);
  add_number(bytes_, last - first);
  for (std::size_t index = first; index < last; ++index) {
    add_text(bytes_, sentence.token(index));
    add_number(bytes_, sentence.spans()[index].begin);
    add_number(bytes_, sentence.spans()[index].end);
  }
  if (!sentence.keeps_all()) add_number(bytes_, number);
  Checksum checksum;
  checksum.add(bytes_);
  digest_ = checksum.hex();
}

}  // namespace elmo
