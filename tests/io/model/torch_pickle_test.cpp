#include "io/model/torch_pickle.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "core/error.h"
#include "tests/io/fixtures/many_langs.h"
#include "tests/io/fixtures/torch_files.h"

namespace elmo::torch {
namespace {

using Kind = Value::Kind;

std::string refusal_of_pickle(const std::string& bytes) {
  try {
    read_pickle(bytes, "p");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool refuses(const std::string& bytes, const std::string& reason) {
  const std::string said = refusal_of_pickle(bytes);
  CAPTURE(said);
  CHECK(said.find("p: byte ") == 0);
  return said.find(reason) != std::string::npos;
}

PickleText text() { return PickleText().begin(); }

/// Returns a tensor of `count` numbers with this offset, shape and strides.
PickleText tensor(std::int64_t count, std::int64_t offset, const std::vector<std::int64_t>& shape,
                  const std::vector<std::int64_t>& strides) {
  PickleText made = text();
  made.global("torch._utils", "_rebuild_tensor").op("((").text("storage");
  made.global("torch", "FloatStorage").text("0").text("cpu").number(count).op("tQ");
  made.number(offset).tuple(shape).tuple(strides).op("tR.");
  return made;
}

TEST_CASE("values are read as in Python") {
  const auto number = [](const std::string& instructions) {
    const std::string bytes = text().op(instructions).op(".").bytes();
    const Pickle pickle = read_pickle(bytes, "p");
    CHECK(pickle.bytes == bytes.size());
    return pickle[pickle.root].integer;
  };
  CHECK(number("K\xff") == 255);
  CHECK(number(std::string("M\xff\x01", 3)) == 511);
  CHECK(number("J\xfe\xff\xff\xff") == -2);
  CHECK(number(std::string("\x8a\x00", 2)) == 0);
  CHECK(number("\x8a\x01\xff") == -1);
  CHECK(number(std::string("\x8a\x03\xff\xff\x00", 5)) == 65535);
  CHECK(number("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f") == INT64_MAX);
  CHECK(number("\x88") == 1);
  CHECK(number("\x89") == 0);

  const std::string list =
      text().op("](").text("a").op({"q\x05", 2}).op({"h\x05", 2}).op("e.").bytes();
  const Pickle pickle = read_pickle(list, "p");
  REQUIRE(pickle[pickle.root].items.size() == 2);
  for (const ValueIndex item : pickle[pickle.root].items) CHECK(pickle[item].text == "a");
  // Another pickle follows.
  CHECK(read_pickle(list + "rest", "p").bytes == list.size());
}

TEST_CASE("a list may contain itself, which is not followed") {
  const std::string bytes = text().op("]").op({"q\x00", 2}).op({"h\x00", 2}).op("a.").bytes();
  const Pickle pickle = read_pickle(bytes, "p");
  CHECK(pickle[pickle.root].items == std::vector<ValueIndex>{pickle.root});
}

TEST_CASE("any other name is refused and named, and nothing is executed") {
  CHECK(refuses(text().global("os", "system").text("true").op("\x85R.").bytes(),
                "the name os.system"));
  CHECK(refuses(text().global("builtins", "eval").op(".").bytes(), "the name builtins.eval"));
  CHECK(refuses(text().global("torch", "HalfStorage").op(".").bytes(), "torch.HalfStorage"));
  CHECK(refuses(text().global("torch._utils", "_rebuild_parameter").op(".").bytes(),
                "torch._utils._rebuild_parameter"));
  CHECK(refuses(text().global("collections", "OrderedDic").op(".").bytes(), "OrderedDic"));
  CHECK(refuses(text().global("o\x1b[31m\xff", "x").op(".").bytes(), "\\xff.x"));
  CHECK(refuses(text().op("cno end").bytes(), "a name does not end"));
}

TEST_CASE("any other opcode is refused and named") {
  for (const auto& [byte, name] :
       std::vector<std::pair<std::string, std::string>>{{"i", "INST (0x69)"},
                                                        {"o", "OBJ (0x6f)"},
                                                        {"\x81", "NEWOBJ (0x81)"},
                                                        {"\x92", "NEWOBJ_EX (0x92)"},
                                                        {"\x93", "STACK_GLOBAL (0x93)"},
                                                        {"\x82", "EXT1 (0x82)"},
                                                        {"\x95", "FRAME (0x95)"},
                                                        {"P", "PERSID (0x50)"},
                                                        {"0", "POP (0x30)"},
                                                        {"2", "DUP (0x32)"},
                                                        {"G", "BINFLOAT (0x47)"},
                                                        {"C", "SHORT_BINBYTES (0x43)"},
                                                        {"\xff", "0xff"}}) {
    CHECK(refuses(text().op(byte).bytes(), "the instruction " + name));
  }
  CHECK(refuses("\x80\x04K\x01.", "found protocol 4"));
  CHECK(refuses("K\x01.", "no pickle of protocol 2"));
}

TEST_CASE("calls must be those that make tensors") {
  CHECK(refuses(text().text("print").op(")R.").bytes(), "called that is not a name"));
  CHECK(refuses(text().global("collections", "OrderedDict").op("K\x01R.").bytes(), "not a tuple"));
  CHECK(refuses(text().global("collections", "OrderedDict").op("]\x85R.").bytes(),
                "made of something"));
  CHECK(refuses(text().global("torch", "FloatStorage").op(")R.").bytes(), "a storage is called"));
  CHECK(refuses(text().global("torch._utils", "_rebuild_tensor").op(")R.").bytes(),
                "the arguments of a tensor"));
  CHECK(refuses(text().op("K\x01Q.").bytes(), "a persistent id"));
  CHECK(refuses(text().op("(").text("module").op("NNNNtQ.").bytes(), "a persistent id"));
  CHECK(refuses(text().op("}K\x01").op("b.").bytes(), "a state is not a dictionary"));
  CHECK(refuses(text().op("K\x01}b.").bytes(), "not a dictionary"));
  PickleText view = text().op("(").text("storage").global("torch", "FloatStorage");
  view.text("0").text("cpu").number(4).op("(").text("1").number(0).number(2).op("ttQ.");
  CHECK(refuses(view.bytes(), "a view of another one"));
}

TEST_CASE("the stack and the memo return what was stored") {
  CHECK(refuses(text().op(".").bytes(), "the stack is empty"));
  CHECK(refuses(text().op("NN.").bytes(), "more than one value"));
  CHECK(refuses(text().op("(N.").bytes(), "more than one value"));
  CHECK(refuses(text().op("N(a").bytes(), "the stack is empty"));
  CHECK(refuses(text().op("t").bytes(), "there is no mark"));
  CHECK(refuses(text().op({"h\x07", 2}).bytes(), "nothing was put at 7"));
  CHECK(refuses(text().op("NNa.").bytes(), "not a list"));
  CHECK(refuses(text().op("NNNs.").bytes(), "not a dictionary"));
  CHECK(refuses(text().op("}(Nu.").bytes(), "a key has no value"));
  CHECK(refuses(text().op({"\x8a\x09", 2}).op("123456789.").bytes(), "9 bytes"));
  CHECK(refuses(text().op(std::string(std::size_t{1} << 18, 'N')).bytes(), "more than 262144"));
}

TEST_CASE("a tensor lies within its storage and is no larger") {
  const auto shape = [](const PickleText& made) {
    const Pickle pickle = read_pickle(made.bytes(), "p");
    CHECK(pickle[pickle.root].kind == Kind::tensor);
    return pickle[pickle.root].tensor.shape;
  };
  CHECK(shape(tensor(12, 0, {3, 4}, {4, 1})) == std::vector<std::uint64_t>{3, 4});
  CHECK(shape(tensor(12, 0, {3, 4}, {1, 3})) == std::vector<std::uint64_t>{3, 4});
  CHECK(shape(tensor(13, 1, {3, 4}, {4, 1})) == std::vector<std::uint64_t>{3, 4});
  CHECK(shape(tensor(1, 0, {}, {})).empty());
  CHECK(shape(tensor(0, 0, {0, 4}, {4, 1})) == std::vector<std::uint64_t>{0, 4});
  CHECK(refuses(tensor(12, 1, {3, 4}, {4, 1}).bytes(), "does not lie within"));
  CHECK(refuses(tensor(11, 0, {3, 4}, {4, 1}).bytes(), "does not lie within"));
  CHECK(refuses(tensor(1, 0, {1000000}, {0}).bytes(), "does not lie within"));
  CHECK(refuses(tensor(4, 0, {1LL << 40, 1LL << 40}, {0, 0}).bytes(), "does not lie within"));
  CHECK(refuses(tensor(4, 0, {2}, {1LL << 62}).bytes(), "does not lie within"));
  CHECK(refuses(tensor(4, 1LL << 62, {2}, {1}).bytes(), "does not lie within"));
  CHECK(refuses(tensor(4, -1, {2}, {1}).bytes(), "the arguments of a tensor"));
  CHECK(refuses(tensor(4, 0, {-2}, {1}).bytes(), "the arguments of a tensor"));
  CHECK(refuses(tensor(4, 0, {2}, {-1}).bytes(), "the arguments of a tensor"));
  CHECK(refuses(tensor(4, 0, {2}, {1, 1}).bytes(), "the arguments of a tensor"));
  CHECK(refuses(
      tensor(4, 0, std::vector<std::int64_t>(9, 1), std::vector<std::int64_t>(9, 1)).bytes(),
      "the arguments of a tensor"));
  CHECK(refuses(tensor(-4, 0, {2}, {1}).bytes(), "a persistent id"));
}

TEST_CASE("a pickle that is cut or damaged anywhere is read or refused without a crash") {
  const std::string whole = pickled(random_tensors(small_many_langs(), 1)[0], {}).pickle;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK(refusal_of_pickle(whole.substr(0, size)) != "");
  }
  const std::uint64_t seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 engine(seed);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = whole;
    for (int changes = 0; changes < 3; ++changes) {
      damaged[engine() % damaged.size()] = static_cast<char>(engine());
    }
    try {
      read_pickle(damaged, "p");
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace elmo::torch
