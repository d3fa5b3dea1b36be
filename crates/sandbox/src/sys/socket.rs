//! The control socket and pipes.

use super::check;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Two ends of a socket that keeps messages apart.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: the array outlives the call; both descriptors are new and owned by nobody else.
    unsafe {
        check(libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()).into())?;
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// A pipe: read end, write end.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: the array outlives the call; both descriptors are new and owned by nobody else.
    unsafe {
        check(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC).into())?;
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Makes reads and writes return at once.
pub fn set_nonblocking(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: plain integers.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) }.into())?;
    Ok(())
}

/// Sends one message.
pub fn send(socket: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
    send_with(socket, bytes, &[])
}

/// Sends one message and descriptors beside it, at most a dozen.
pub fn send_with(socket: &OwnedFd, bytes: &[u8], descriptors: &[RawFd]) -> io::Result<()> {
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let mut space = [0u64; 16];
    let size = size_of_val(descriptors) as u32;
    // SAFETY: a size, not a pointer.
    if unsafe { libc::CMSG_SPACE(size) } as usize > size_of_val(&space) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: msghdr is plain data; the control buffer is aligned and large enough for these descriptors; all
    // buffers outlive the call.
    unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        if !descriptors.is_empty() {
            header.msg_control = space.as_mut_ptr().cast();
            header.msg_controllen = libc::CMSG_SPACE(size) as usize;
            let control = libc::CMSG_FIRSTHDR(&raw const header);
            (*control).cmsg_level = libc::SOL_SOCKET;
            (*control).cmsg_type = libc::SCM_RIGHTS;
            (*control).cmsg_len = libc::CMSG_LEN(size) as usize;
            let data = libc::CMSG_DATA(control).cast();
            std::ptr::copy_nonoverlapping(descriptors.as_ptr(), data, descriptors.len());
        }
        check(libc::sendmsg(socket.as_raw_fd(), &raw const header, libc::MSG_NOSIGNAL) as i64)?;
    }
    Ok(())
}

/// Gives what a descriptor stands for to another user. Only root can; to anyone else it belongs already.
pub fn give(fd: &OwnedFd, user: u32, group: u32) {
    // SAFETY: plain integers.
    unsafe { libc::fchown(fd.as_raw_fd(), user, group) };
}

/// Receives one message and the descriptors beside it. An empty message: the other side is gone.
pub fn receive(socket: &OwnedFd) -> io::Result<(Vec<u8>, Vec<OwnedFd>)> {
    let mut bytes = vec![0u8; 64 * 1024];
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    let mut space = [0u64; 16];
    let mut descriptors = Vec::new();
    // SAFETY: msghdr is plain data; all buffers outlive the call; the control messages are walked by the macros that
    // know their layout; each descriptor found is new and owned by nobody else.
    unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        header.msg_control = space.as_mut_ptr().cast();
        header.msg_controllen = size_of_val(&space);
        let got = check(libc::recvmsg(socket.as_raw_fd(), &raw mut header, libc::MSG_CMSG_CLOEXEC) as i64)?;
        bytes.truncate(got as usize);
        let mut control = libc::CMSG_FIRSTHDR(&raw const header);
        while !control.is_null() {
            if (*control).cmsg_level == libc::SOL_SOCKET && (*control).cmsg_type == libc::SCM_RIGHTS {
                let count = ((*control).cmsg_len as usize - libc::CMSG_LEN(0) as usize) / size_of::<RawFd>();
                let data: *const RawFd = libc::CMSG_DATA(control).cast();
                descriptors.extend((0..count).map(|i| OwnedFd::from_raw_fd(data.add(i).read_unaligned())));
            }
            control = libc::CMSG_NXTHDR(&raw const header, control);
        }
    }
    Ok((bytes, descriptors))
}

/// Reads what is there. `Ok(0)`: end of file.
pub fn read(fd: &OwnedFd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the buffer outlives the call and its length is given.
    Ok(check(unsafe { libc::read(fd.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) } as i64)?
        as usize)
}

/// Writes what fits.
pub fn write(fd: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: the bytes outlive the call and their length is given.
    Ok(check(unsafe { libc::write(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) } as i64)? as usize)
}
