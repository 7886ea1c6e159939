"""Refuses system calls of a child process as some file systems and older kernels do."""

import ctypes
import errno
import platform
import struct

# Numbers of the system calls, and the kernel's name of the architecture.
CALLS = {"x86_64": {"flock": 73, "arch": 0xC000003E}, "aarch64": {"flock": 32, "arch": 0xC00000B7}}
# The last one of Linux 3.2: later ones have larger numbers. Other machines came after it.
LAST_OF_LINUX_3_2 = {"x86_64": 311}

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_WORD, JUMP_IF_EQUAL, JUMP_IF_GREATER, RETURN = 0x20, 0x15, 0x25, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def filtering(jump, number, error):
    """A preexec_fn that gives a child process `error` for system calls whose number `jump` compares
    with `number`."""
    program = b"".join(struct.pack("HBBI", *step) for step in (
        (LOAD_WORD, 0, 0, 4), (JUMP_IF_EQUAL, 0, 3, CALLS[platform.machine()]["arch"]),
        (LOAD_WORD, 0, 0, 0), (jump, 0, 1, number),
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


def refusing(call, error):
    """A preexec_fn that gives a child process `error` for the system call of that name; None if the
    system does not support that."""
    numbers = CALLS.get(platform.machine())
    return numbers and filtering(JUMP_IF_EQUAL, numbers[call], error)


def as_linux_3_2():
    """A preexec_fn that gives a child process ENOSYS for system calls that Linux 3.2 lacks; None if
    the system does not support that."""
    last = LAST_OF_LINUX_3_2.get(platform.machine())
    return last and filtering(JUMP_IF_GREATER, last, errno.ENOSYS)
