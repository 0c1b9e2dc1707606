"""Attacks by sockets: networks, the host, other processes and the connection to the grader."""

import ctypes
import errno
import os
import socket
import time

from attacker import attack, attempt, system_call, wire

FILTER = "seccomp filter EPERM"


@attack("N1", "network namespace ENETUNREACH; Landlock EACCES; seccomp filter EPERM", "EPERM")
def connects_by_tcp(target):
    """Connect to a service of this machine by TCP, such as a Docker engine or a shell of the student's."""
    return attempt(lambda: socket.socket().connect(("127.0.0.1", target["port"])))


@attack("N2", "network namespace ENETUNREACH; seccomp filter EPERM", "EPERM")
def sends_by_udp(target):
    """Send the tests away by UDP."""
    return attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", target["port"])))


@attack("N3", "network namespace ENETUNREACH; Landlock EACCES; seccomp filter EPERM", "EPERM")
def opens_a_socket_of_ipv6(target):
    """Open an IPv6 socket and connect to a port."""
    # An IPv4 address in IPv6 form, which exists without a network too; the IPv6 loopback is missing in containers.
    return attempt(lambda: socket.socket(socket.AF_INET6).connect(("::ffff:127.0.0.1", target["port"])))


@attack("N4", "empty root folder ENOENT; seccomp filter EPERM", "EPERM")
def connects_by_a_socket_file(target):
    """Connect to a service through its socket file, such as docker.sock."""
    return attempt(lambda: socket.socket(socket.AF_UNIX).connect(target["socket"]))


@attack("N5", "network namespace ECONNREFUSED; Landlock EPERM; seccomp filter EPERM", "EPERM")
def connects_by_an_abstract_name(target):
    """Connect to a service through an abstract socket name, which is in no folder."""
    return attempt(lambda: socket.socket(socket.AF_UNIX).connect("\0" + target["abstract"]))


@attack("N6", "seccomp filter ENOSYS", "ENOSYS")
def sets_up_io_uring(target):
    """Set up io_uring, whose operations bypass the filter."""
    return attempt(system_call, "io_uring_setup", 1, ctypes.create_string_buffer(120))


@attack("N7", "Landlock EACCES; seccomp filter EPERM", "EPERM")
def waits_for_connections(target):
    """Bind a port and wait for connections."""
    def wait():
        door = socket.socket()
        door.bind(("0.0.0.0", 0))
        door.listen()

    return attempt(wait)


@attack("N8", FILTER, "EPERM")
def makes_a_message_queue(target):
    """Create a POSIX message queue, which outlives the process; whether removing it works shows whether it exists."""
    name = f"hostile-{os.getpid()}".encode()
    word = attempt(system_call, "mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None)
    return "done" if attempt(system_call, "mq_unlink", name) == "done" else word


@attack("N9", FILTER, "EPERM", without_them="sent")
def sends_a_descriptor_to_the_grader(target):
    """Send an open file to the grader along with a reply."""
    payload = wire().encode(("returned", "sent"))
    frame = len(payload).to_bytes(4, "little") + payload
    try:
        socket.send_fds(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=socket.dup(3)), [frame], [0])
    except OSError as error:
        return errno.errorcode[error.errno]
    time.sleep(60)


@attack("N10", FILTER, "EPERM")
def asks_the_kernel_by_netlink(target):
    """Open a netlink socket, which reaches much of the kernel."""
    return attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).bind((0, 0)))


@attack(
    "N11",
    "own user EPERM; no capabilities EPERM; seccomp filter EPERM",
    "EPERM",
    besides_as_user="user namespace; pid namespace; network namespace; ipc namespace; read-only mounts",
)
def listens_to_the_wire(target):
    """Open a raw socket, which can read and forge every packet."""
    return attempt(socket.socket, socket.AF_PACKET, socket.SOCK_RAW, 0)
