//! The control socket, and the loopback interface.

use super::raw::{Fd, sys};
use super::{Done, check};
use alloc::vec::Vec;

/// Sends one datagram with descriptors beside it.
pub fn send(socket: i32, bytes: &[u8], descriptors: &[i32]) -> Done {
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let mut space = [0u64; 8];
    // SAFETY: msghdr is plain data; the control buffer is aligned and larger than CMSG_SPACE for four descriptors,
    // the most that is ever sent; all buffers outlive the call.
    unsafe {
        let mut header: libc::msghdr = core::mem::zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        if !descriptors.is_empty() {
            let size = size_of_val(descriptors) as u32;
            header.msg_control = space.as_mut_ptr().cast();
            header.msg_controllen = libc::CMSG_SPACE(size) as usize;
            let control = libc::CMSG_FIRSTHDR(&raw const header);
            (*control).cmsg_level = libc::SOL_SOCKET;
            (*control).cmsg_type = libc::SCM_RIGHTS;
            (*control).cmsg_len = libc::CMSG_LEN(size) as usize;
            core::ptr::copy_nonoverlapping(
                descriptors.as_ptr(),
                libc::CMSG_DATA(control).cast(),
                descriptors.len(),
            );
        }
        check(sys!(libc::SYS_sendmsg, socket, &raw const header, libc::MSG_NOSIGNAL), || "sendmsg".into())?;
    }
    Ok(())
}

/// The most descriptors that travel beside one message.
pub const MOST_DESCRIPTORS: usize = 12;

/// A message that was received.
pub struct Received {
    /// How many bytes of the buffer it takes.
    pub length: usize,
    descriptors: [i32; MOST_DESCRIPTORS],
    count: usize,
}

impl Received {
    /// The descriptors beside it; the receiver's to close.
    pub fn descriptors(&self) -> &[i32] {
        &self.descriptors[..self.count]
    }
}

/// Waits for one message. `None`: the other side is gone.
pub fn receive(socket: i32, buffer: &mut [u8]) -> Option<Received> {
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut space = [0u64; 16];
    let mut received = Received { length: 0, descriptors: [-1; MOST_DESCRIPTORS], count: 0 };
    // SAFETY: msghdr is plain data; all buffers outlive the call; the one control message is read by the macros that
    // know its layout, and no more descriptors than there is room for.
    unsafe {
        let mut header: libc::msghdr = core::mem::zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        header.msg_control = space.as_mut_ptr().cast();
        header.msg_controllen = size_of_val(&space);
        received.length = loop {
            match sys!(libc::SYS_recvmsg, socket, &raw mut header, libc::MSG_CMSG_CLOEXEC) {
                Err(libc::EINTR) => {}
                Ok(length @ 1..) => break length,
                Ok(0) | Err(_) => return None,
            }
        };
        let control = libc::CMSG_FIRSTHDR(&raw const header);
        if !control.is_null() && (*control).cmsg_type == libc::SCM_RIGHTS {
            let bytes = (*control).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
            received.count = (bytes / size_of::<i32>()).min(MOST_DESCRIPTORS);
            let data: *const i32 = libc::CMSG_DATA(control).cast();
            for i in 0..received.count {
                received.descriptors[i] = data.add(i).read_unaligned();
            }
        }
    }
    Some(received)
}

/// Puts these descriptors on the numbers 0, 1, 2 and so on, and closes all others.
pub fn rearrange<const N: usize>(descriptors: [i32; N]) -> Done {
    // Above every number that one of them is to get: one that stands where another is to go would be lost.
    const ABOVE: i32 = 64;
    let mut moved = [0; N];
    // SAFETY: plain integers.
    unsafe {
        for (fd, moved) in descriptors.iter().zip(&mut moved) {
            *moved = check(sys!(libc::SYS_fcntl, *fd, libc::F_DUPFD_CLOEXEC, ABOVE), || "fcntl".into())?;
        }
        for (number, fd) in moved.iter().enumerate() {
            check(sys!(libc::SYS_dup3, *fd, number, 0), || "dup3".into())?;
        }
    }
    super::process::close_from(N as i32)
}

/// Puts one descriptor on this number, for a program to inherit.
pub fn place(fd: &Fd, number: i32) -> Done {
    if fd.raw() == number {
        // SAFETY: plain integers.
        return check(unsafe { sys!(libc::SYS_fcntl, number, libc::F_SETFD, 0) }, || "fcntl".into())
            .map(drop);
    }
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_dup3, fd.raw(), number, 0) }, || "dup3".into()).map(drop)
}

/// Writes all of this to a pipe.
pub fn write_all(pipe: &Fd, bytes: &[u8]) -> Done {
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: the bytes outlive the call and their length is given.
        let written = unsafe { sys!(libc::SYS_write, pipe.raw(), rest.as_ptr(), rest.len()) };
        rest = &rest[check(written, || "write to the pipe".into())?..];
    }
    Ok(())
}

/// Reads a pipe to its end.
pub fn read_to_end(fd: i32) -> Vec<u8> {
    let mut all = Vec::new();
    let mut buffer = [0u8; 4096];
    loop {
        // SAFETY: the buffer outlives the call and its length is given.
        match unsafe { sys!(libc::SYS_read, fd, buffer.as_mut_ptr(), buffer.len()) } {
            Err(libc::EINTR) => {}
            Ok(got @ 1..) => all.extend_from_slice(&buffer[..got]),
            Ok(_) | Err(_) => return all,
        }
    }
}

/// Waits for one message; whether it is `expected`.
pub fn receive_is(socket: i32, expected: &[u8]) -> bool {
    let mut bytes = [0u8; 16];
    loop {
        // SAFETY: the buffer outlives the call and its length is given.
        match unsafe { sys!(libc::SYS_recvfrom, socket, bytes.as_mut_ptr(), bytes.len(), 0, 0, 0) } {
            Err(libc::EINTR) => {}
            answer => return answer.is_ok_and(|got| &bytes[..got] == expected),
        }
    }
}

/// A pipe: read end, write end.
pub fn pipe() -> Done<(Fd, Fd)> {
    let mut ends = [0i32; 2];
    // SAFETY: the array outlives the call.
    check(unsafe { sys!(libc::SYS_pipe2, ends.as_mut_ptr(), libc::O_CLOEXEC) }, || "pipe".into())?;
    Ok((Fd::new(ends[0] as usize), Fd::new(ends[1] as usize)))
}

/// Two ends of a socket that keeps messages apart.
pub fn pair() -> Done<(Fd, Fd)> {
    let mut ends = [0i32; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: the array outlives the call.
    let answer = unsafe { sys!(libc::SYS_socketpair, libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) };
    check(answer, || "socketpair".into())?;
    Ok((Fd::new(ends[0] as usize), Fd::new(ends[1] as usize)))
}

/// Waits for one byte. `false`: the other side is gone.
pub fn await_byte(pipe: &Fd) -> bool {
    let mut byte = 0u8;
    loop {
        // SAFETY: one byte of room.
        match unsafe { sys!(libc::SYS_read, pipe.raw(), &raw mut byte, 1) } {
            Err(libc::EINTR) => {}
            answer => return answer == Ok(1),
        }
    }
}

/// Sends one byte.
pub fn send_byte(pipe: &Fd) -> Done {
    // SAFETY: one byte that outlives the call.
    check(unsafe { sys!(libc::SYS_write, pipe.raw(), c"x".as_ptr(), 1) }, || "write to the pipe".into())
        .map(drop)
}

/// What ended a wait.
pub enum Woken {
    /// The first descriptor is readable.
    First,
    /// The second is.
    Second,
    /// The second's other side is gone.
    SecondHungUp,
}

/// Waits for either descriptor.
pub fn wait_for_either(first: i32, second: i32) -> Woken {
    let mut polled = [first, second].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    loop {
        // SAFETY: the array outlives the call and its length is given; no time and no mask are allowed.
        if unsafe { sys!(libc::SYS_ppoll, polled.as_mut_ptr(), 2, 0, 0, 0) }.is_err() {
            continue;
        }
        return match (polled[1].revents, polled[0].revents) {
            (second, _) if second & (libc::POLLHUP | libc::POLLERR) != 0 => Woken::SecondHungUp,
            (0, _) => Woken::First,
            _ => Woken::Second,
        };
    }
}

/// Whether the other side of this socket still lives.
pub fn other_side_lives(socket: i32) -> bool {
    let mut polled = libc::pollfd { fd: socket, events: 0, revents: 0 };
    let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: one element and a time that outlive the call.
    let _ = unsafe { sys!(libc::SYS_ppoll, &raw mut polled, 1, &raw const at_once, 0, 0) };
    polled.revents & libc::POLLHUP == 0
}

/// Brings the loopback interface up; a handle of the network whose it is.
pub fn loopback_up() -> Done<Fd> {
    /// Gives the network of a socket, to whoever has rights over it.
    const SIOCGSKNS: u32 = 0x894c;
    // SAFETY: ifreq is plain data, filled before the call and outliving it.
    unsafe {
        let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC;
        let socket =
            Fd::new(check(sys!(libc::SYS_socket, libc::AF_INET, kind, 0), || "socket for lo".into())?);
        let mut request: libc::ifreq = core::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        check(sys!(libc::SYS_ioctl, socket.raw(), libc::SIOCSIFFLAGS, &raw const request), || {
            "lo up".into()
        })?;
        check(sys!(libc::SYS_ioctl, socket.raw(), SIOCGSKNS), || "handle of the network".into()).map(Fd::new)
    }
}
