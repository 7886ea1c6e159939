#include "io/text/bytes/byte_order_mark.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  const char* encoding;
};

// The Unicode Standard 15, table 2-4. UTF-32's before UTF-16's, which one of them begins with.
constexpr Mark kMarks[] = {{"\xef\xbb\xbf"sv, "UTF-8"},
                           {"\xff\xfe\0\0"sv, "UTF-32"},
                           {"\0\0\xfe\xff"sv, "UTF-32"},
                           {"\xff\xfe"sv, "UTF-16"},
                           {"\xfe\xff"sv, "UTF-16"}};

bool may_become_mark(std::string_view head) {
  return std::ranges::any_of(kMarks, [head](const Mark& mark) {
    return head.size() < mark.bytes.size() && mark.bytes.starts_with(head);
  });
}

}  // namespace

void pass_over_byte_order_mark(ByteWindow& window, const std::string& name) {
  for (std::size_t size = 0; may_become_mark(window.view().substr(0, size)); ++size) {
    if (!window.fill(size + 1)) break;
  }
  const auto* const found = std::ranges::find_if(
      kMarks, [&window](const Mark& mark) { return window.view().starts_with(mark.bytes); });
  if (found == std::end(kMarks)) return;
  const std::string encoding = found->encoding;
  if (encoding != "UTF-8") {
    throw InputError(name + ": begins with the byte order mark of " + encoding +
                     "; expected UTF-8; convert it with: iconv -f " + encoding + " -t UTF-8");
  }
  window.consume(found->bytes.size());
}

}  // namespace elmo
