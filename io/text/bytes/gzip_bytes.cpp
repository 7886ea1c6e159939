#include "io/text/bytes/gzip_bytes.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

constexpr std::size_t kGzipInputBytes = std::size_t{64} << 10;
constexpr int kGzipOnly = 16;  // added to the window size: expect a gzip header

}  // namespace

GzipBytes::GzipBytes(std::string name, std::unique_ptr<ByteSource> stored)
    : name_(std::move(name)), stored_(std::move(stored)), input_(kGzipInputBytes) {
  if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
    throw SystemError(name_ + ": zlib cannot be started; is there enough memory?");
  }
}

GzipBytes::~GzipBytes() { inflateEnd(&stream_); }

/// Ensures that there is stored input; returns false at its end.
bool GzipBytes::fill() {
  if (stream_.avail_in > 0) return true;
  const std::size_t count = stored_->read(input_.data(), input_.size());
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(count);
  return count > 0;
}

bool GzipBytes::begin_next_member() {
  while (fill()) {
    if (*stream_.next_in != 0) {
      inflateReset(&stream_);
      return true;
    }
    ++stream_.next_in;
    --stream_.avail_in;
  }
  return false;
}

std::size_t GzipBytes::read(char* data, std::size_t size) {
  const std::size_t wanted = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
  stream_.next_out = reinterpret_cast<Bytef*>(data);
  stream_.avail_out = static_cast<uInt>(wanted);
  while (stream_.avail_out == wanted) {
    if (!in_member_) {
      if (!begin_next_member()) return 0;
      in_member_ = true;
    }
    if (!fill()) {
      throw InputError(name_ +
                       ": the gzip data is cut short; expected more; fetch or write it again");
    }
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result == Z_STREAM_END) {
      in_member_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw InputError(name_ + ": the gzip data is damaged (" +
                       (stream_.msg != nullptr ? stream_.msg : "zlib cannot read it") +
                       "); fetch or write it again");
    }
  }
  return wanted - stream_.avail_out;
}

}  // namespace elmo
