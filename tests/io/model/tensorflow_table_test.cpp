#include "io/model/tensorflow_table.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "core/error.h"
#include "tests/fixtures/tensorflow.h"

namespace elmo::tensorflow {
namespace {

std::uint32_t unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8;
  return (rotated >> 17U) | (rotated << 15U);
}

TEST_CASE("checksums match RFC 3720, appendix B.4") {
  std::string ascending;
  for (char byte = 0; byte < 32; ++byte) ascending += byte;
  CHECK(unmasked(masked_crc32c(std::string(32, '\0'))) == 0x8a9136aa);
  CHECK(unmasked(masked_crc32c(std::string(32, '\xff'))) == 0x62a8ab43);
  CHECK(unmasked(masked_crc32c(ascending)) == 0x46dd794e);
  CHECK(unmasked(masked_crc32c("123456789")) == 0xe3069283);
  CHECK(unmasked(masked_crc32c("")) == 0);
}

TEST_CASE("varints of up to 64 bits are taken from the front") {
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{300},
        std::numeric_limits<std::uint64_t>::max()}) {
    const std::string bytes = varint(number) + "rest";
    std::string_view left = bytes;
    CHECK(take_varint(left) == number);
    CHECK(left == "rest");
  }
  for (const std::string& bytes : {std::string(), std::string(3, '\x80'), std::string(11, '\x80'),
                                   std::string(9, '\xff') + '\x02', std::string(10, '\xff')}) {
    std::string_view left = bytes;
    CHECK_FALSE(take_varint(left));
  }
}

TEST_CASE("table entries are read back in order") {
  const std::string bytes = table_of(block_of({{"", "head"}, {"a", ""}, {"ab", "value"}}));
  const Table table = read_table(bytes, "t");
  REQUIRE(table.size() == 3);
  CHECK(table[0] == Table::value_type{"", "head"});
  CHECK(table[1] == Table::value_type{"a", ""});
  CHECK(table[2] == Table::value_type{"ab", "value"});
}

TEST_CASE("keys that grow by sharing all previous bytes are refused") {
  std::string block;
  for (std::uint64_t length = 0; length < 5000; ++length) {
    block += varint(length) + varint(1) + varint(0) + "k";
  }
  const std::string bytes = table_of(block + four_bytes(0) + four_bytes(1));
  CHECK_THROWS_WITH_AS(read_table(bytes, "t"), doctest::Contains("t: a key has more than 1024"),
                       InputError);
}

TEST_CASE("a table with more entries than a model has variables is refused") {
  std::vector<std::pair<std::string, std::string>> entries;
  for (int i = 100'000; i < 170'000; ++i) entries.emplace_back(std::to_string(i), "");
  CHECK_THROWS_WITH_AS(read_table(table_of(block_of(entries)), "t"),
                       doctest::Contains("has more than 65536 entries"), InputError);
}

}  // namespace
}  // namespace elmo::tensorflow
