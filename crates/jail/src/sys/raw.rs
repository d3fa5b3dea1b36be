//! System calls without a C library: the jail is started for every run, and a C library would be most of it.

/// What the kernel answers: a value, or an error number.
pub type Answer = Result<usize, i32>;

/// Makes a system call.
///
/// # Safety
/// What the arguments point to must be what the call expects of them, and live through it.
#[cfg(target_arch = "x86_64")]
pub unsafe fn call(number: i64, a: [usize; 6]) -> Answer {
    let answer: isize;
    // SAFETY: the kernel changes no register but these; the rest is the caller's promise.
    unsafe {
        core::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") a[0], in("rsi") a[1], in("rdx") a[2], in("r10") a[3], in("r8") a[4], in("r9") a[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    settle(answer)
}

/// Makes a system call.
///
/// # Safety
/// What the arguments point to must be what the call expects of them, and live through it.
#[cfg(target_arch = "aarch64")]
pub unsafe fn call(number: i64, a: [usize; 6]) -> Answer {
    let answer: isize;
    // SAFETY: the kernel changes no register but x0; the rest is the caller's promise.
    unsafe {
        core::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a[0] => answer,
            in("x1") a[1], in("x2") a[2], in("x3") a[3], in("x4") a[4], in("x5") a[5],
            options(nostack),
        );
    }
    settle(answer)
}

/// Tells the kernel's error numbers from its other answers.
pub fn settle(answer: isize) -> Answer {
    if (-4095..0).contains(&answer) { Err(-answer as i32) } else { Ok(answer as usize) }
}

/// The arguments of a call, those that are not given being zero.
pub fn padded<const N: usize>(given: [usize; N]) -> [usize; 6] {
    let mut all = [0; 6];
    all[..N].copy_from_slice(&given);
    all
}

/// `sys!(number, arguments…)`: a system call; integers and pointers as they are.
macro_rules! sys {
    ($number:expr $(, $argument:expr)* $(,)?) => {
        $crate::sys::raw::call($number, $crate::sys::raw::padded([$($argument as usize),*]))
    };
}
pub(crate) use sys;

/// A descriptor that is closed when it is dropped.
#[derive(Debug)]
pub struct Fd(i32);

impl Fd {
    /// Takes over a descriptor that a call has just given.
    pub fn new(answer: usize) -> Self {
        Self(answer as i32)
    }

    /// Its number.
    pub fn raw(&self) -> i32 {
        self.0
    }
}

impl Drop for Fd {
    fn drop(&mut self) {
        // SAFETY: it is ours to close.
        let _ = unsafe { sys!(libc::SYS_close, self.0) };
    }
}
