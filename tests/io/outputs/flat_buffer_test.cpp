#include "io/outputs/flat_buffer.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>

namespace elmo {
namespace {

/// Reads a buffer as specified, by offsets from its beginning.
struct FlatView {
  std::string bytes;

  template <typename T>
  T number(std::size_t place) const {
    REQUIRE(place % sizeof(T) == 0);
    REQUIRE(place + sizeof(T) <= bytes.size());
    T value{};
    std::memcpy(&value, bytes.data() + place, sizeof(T));
    return value;
  }
  std::size_t follow(std::size_t place) const { return place + number<std::uint32_t>(place); }
  /// Returns the position of a field of the table; 0 if it is not set.
  std::size_t field(std::size_t table, std::size_t index) const {
    const auto vtable = table - static_cast<std::size_t>(number<std::int32_t>(table));
    if (4 + 2 * index >= number<std::uint16_t>(vtable)) return 0;
    const auto offset = number<std::uint16_t>(vtable + 4 + 2 * index);
    return offset == 0 ? 0 : table + offset;
  }
  std::string text(std::size_t place) const {
    const auto size = number<std::uint32_t>(place);
    CHECK(bytes.at(place + 4 + size) == '\0');
    return bytes.substr(place + 4, size);
  }
};

TEST_CASE("a FlatBuffer's table has the fields that were set, each aligned") {
  FlatBuilder flat;
  const std::array names{flat.text("one"), flat.text(""), flat.text("three")};
  const FlatBuilder::Object list = flat.list(names);
  const FlatBuilder::Object pairs =
      flat.structs(std::array<std::int64_t, 4>{1, -2, 3, 1LL << 40}, 2);
  flat.begin_table();
  flat.add(0, std::uint8_t{7});
  flat.add(5, std::int64_t{-9});
  flat.add(1, list);
  flat.add(3, std::int16_t{-300});
  flat.add(4, pairs);
  const FlatView view{flat.finish(flat.end_table())};
  CHECK(view.bytes.size() % 8 == 0);

  const std::size_t root = view.follow(0);
  CHECK(view.number<std::uint8_t>(view.field(root, 0)) == 7);
  CHECK(view.field(root, 2) == 0);
  CHECK(view.number<std::int16_t>(view.field(root, 3)) == -300);
  CHECK(view.number<std::int64_t>(view.field(root, 5)) == -9);
  CHECK(view.field(root, 6) == 0);

  const std::size_t texts = view.follow(view.field(root, 1));
  REQUIRE(view.number<std::uint32_t>(texts) == 3);
  CHECK(view.text(view.follow(texts + 4)) == "one");
  CHECK(view.text(view.follow(texts + 8)).empty());
  CHECK(view.text(view.follow(texts + 12)) == "three");

  const std::size_t structs = view.follow(view.field(root, 4));
  CHECK(view.number<std::uint32_t>(structs) == 2);
  CHECK(view.number<std::int64_t>(structs + 4 + 8) == -2);
  CHECK(view.number<std::int64_t>(structs + 4 + 24) == 1LL << 40);
}

TEST_CASE("a FlatBuffer may hold empty vectors and an empty table") {
  FlatBuilder flat;
  const FlatBuilder::Object list = flat.list({});
  const FlatBuilder::Object structs = flat.structs({}, 3);
  flat.begin_table();
  const FlatBuilder::Object empty = flat.end_table();
  flat.begin_table();
  flat.add(0, list);
  flat.add(1, structs);
  flat.add(2, empty);
  const FlatView view{flat.finish(flat.end_table())};
  const std::size_t root = view.follow(0);
  CHECK(view.number<std::uint32_t>(view.follow(view.field(root, 0))) == 0);
  const std::size_t none = view.follow(view.field(root, 1));
  CHECK(view.number<std::uint32_t>(none) == 0);
  CHECK((none + 4) % 8 == 0);
  CHECK(view.field(view.follow(view.field(root, 2)), 0) == 0);
}

}  // namespace
}  // namespace elmo
