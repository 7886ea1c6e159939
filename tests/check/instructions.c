// A plugin of qemu's user mode emulation, version 1 of its interface: prints how many instructions the
// program executes. Debian ships no header, so what is used of it is declared here.
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct qemu_plugin_tb;

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                                  void (*translated)(uint64_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation,
                                                     void *counter, uint64_t added);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*ends)(uint64_t, void *), void *data);
extern void qemu_plugin_outs(const char *text);

int qemu_plugin_version = 1;

static uint64_t instructions;  // lacks a few if threads execute at once

static void count(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  enum { ADD_64_BITS = 0 };
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_64_BITS, &instructions,
                                           qemu_plugin_tb_n_insns(block));
}

// A process that the program forks prints its own instructions only.
static void restart(void) { instructions = 0; }

static void print(uint64_t id, void *data) {
  (void)id;
  (void)data;
  char line[32];
  snprintf(line, sizeof line, "%" PRIu64 "\n", instructions);
  qemu_plugin_outs(line);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  (void)info;
  (void)argc;
  (void)argv;
  pthread_atfork(NULL, NULL, restart);
  qemu_plugin_register_vcpu_tb_trans_cb(id, count);
  qemu_plugin_register_atexit_cb(id, print, NULL);
  return 0;
}
