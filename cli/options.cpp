#include "cli/options.h"

#include "core/error.h"

namespace elmo {

CLI::Option* add_size(CLI::App* app, const std::string& name, std::uint64_t& bytes,
                      const std::string& help) {
  return app->add_option(name, bytes, help)
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->option_text("BYTES");
}

void only_with(const CLI::App& app, const std::string& option, bool allowed,
               const std::string& companion) {
  if (!allowed && app.count(option) > 0) {
    throw UsageError(option + " makes sense only with " + companion);
  }
}

}  // namespace elmo
