#include "core/kernels/precision.h"

namespace elmo {

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::bfloat16:
      return "bfloat16";
    case Precision::int8:
      return "int8";
    case Precision::float32:
      break;
  }
  return "float32";
}

}  // namespace elmo
