//! The control socket, and the loopback interface.

use super::{Done, check};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Sends one datagram with descriptors beside it.
pub fn send(socket: RawFd, bytes: &[u8], descriptors: &[RawFd]) -> Done {
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let mut space = [0u64; 8];
    // SAFETY: msghdr is plain data; the control buffer is aligned and larger than CMSG_SPACE for four descriptors,
    // the most that is ever sent; all buffers outlive the call.
    unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
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
            std::ptr::copy_nonoverlapping(
                descriptors.as_ptr(),
                libc::CMSG_DATA(control).cast(),
                descriptors.len(),
            );
        }
        check(libc::sendmsg(socket, &raw const header, libc::MSG_NOSIGNAL) as i64, || "sendmsg".into())?;
    }
    Ok(())
}

/// Waits for one message; whether it is `expected`.
pub fn receive_is(socket: RawFd, expected: &[u8]) -> bool {
    let mut bytes = [0u8; 16];
    loop {
        // SAFETY: the buffer outlives the call and its length is given.
        let got = unsafe { libc::recv(socket, bytes.as_mut_ptr().cast(), bytes.len(), 0) };
        if got >= 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return usize::try_from(got).is_ok_and(|got| &bytes[..got] == expected);
        }
    }
}

/// A pipe: read end, write end.
pub fn pipe() -> Done<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: the array outlives the call; both descriptors are new and owned by nobody else.
    unsafe {
        check(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC).into(), || "pipe".into())?;
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Waits for one byte. `false`: the other side is gone.
pub fn await_byte(pipe: &OwnedFd) -> bool {
    let mut byte = 0u8;
    loop {
        // SAFETY: one byte of room.
        let got = unsafe { libc::read(pipe.as_raw_fd(), (&raw mut byte).cast(), 1) };
        if got >= 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return got == 1;
        }
    }
}

/// Sends one byte.
pub fn send_byte(pipe: &OwnedFd) -> Done {
    // SAFETY: one byte that outlives the call.
    check(unsafe { libc::write(pipe.as_raw_fd(), c"x".as_ptr().cast(), 1) } as i64, || {
        "write to the pipe".into()
    })?;
    Ok(())
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
pub fn wait_for_either(first: RawFd, second: RawFd) -> Woken {
    let mut polled = [first, second].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    loop {
        // SAFETY: the array outlives the call and its length is given.
        if unsafe { libc::poll(polled.as_mut_ptr(), 2, -1) } < 1 {
            continue;
        }
        return match (polled[1].revents, polled[0].revents) {
            (second, _) if second & (libc::POLLHUP | libc::POLLERR) != 0 => Woken::SecondHungUp,
            (0, _) => Woken::First,
            _ => Woken::Second,
        };
    }
}

/// Whether the writer of this pipe still lives.
pub fn writer_lives(pipe: &OwnedFd) -> bool {
    let mut polled = libc::pollfd { fd: pipe.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: one element that outlives the call.
    unsafe { libc::poll(&raw mut polled, 1, 0) };
    polled.revents & libc::POLLHUP == 0
}

/// Brings the loopback interface up.
pub fn loopback_up() -> Done {
    // SAFETY: ifreq is plain data, filled before the call and outliving it.
    unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        check(fd.into(), || "socket for lo".into())?;
        let socket = OwnedFd::from_raw_fd(fd);
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        check(libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request).into(), || {
            "lo up".into()
        })?;
    }
    Ok(())
}
