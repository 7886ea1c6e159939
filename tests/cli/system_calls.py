"""System calls of a child process refused, as some file systems refuse them."""

import ctypes
import platform
import struct

# Numbers of the system calls, and the kernel's name of the architecture.
CALLS = {"x86_64": {"flock": 73, "arch": 0xC000003E}, "aarch64": {"flock": 32, "arch": 0xC00000B7}}

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def refusing(call, error):
    """What makes a child process (preexec_fn) get `error` from the system call of that name; None
    where that cannot be had."""
    numbers = CALLS.get(platform.machine())
    if numbers is None:
        return None
    program = b"".join(struct.pack("HBBI", *step) for step in (
        (LOAD_WORD, 0, 0, 4), (JUMP_IF_EQUAL, 0, 3, numbers["arch"]),
        (LOAD_WORD, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, numbers[call]),
        (RETURN, 0, 0, ERRNO | error), (RETURN, 0, 0, ALLOW)))
    steps = ctypes.create_string_buffer(program, len(program))
    libc = ctypes.CDLL(None, use_errno=True)

    def install():
        header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(steps))
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no_new_privs")
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "seccomp")

    return install
