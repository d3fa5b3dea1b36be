//! What a C library would bring: the way from the kernel to `main`, memory, and what to do in a panic.

use formicary_jail::sys::arena::Arena;
use formicary_jail::sys::process;

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".globl _start",
    "_start:",
    "xor ebp, ebp",
    "and rsp, -16",
    "call {start}",
    start = sym start,
);
#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(".globl _start", "_start:", "mov x29, #0", "bl {start}", start = sym start);

extern "C" fn start() -> ! {
    formicary_jail::supervisor::supervise();
    process::exit_now(0)
}

#[global_allocator]
static ARENA: Arena = Arena;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    process::exit_now(70)
}

/// The compiler turns copies into calls of these, so they must not be written as loops that it would turn into calls.
mod memory {
    #[cfg(target_arch = "x86_64")]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        // SAFETY: the caller's promise; the string instruction changes only these registers.
        unsafe {
            core::arch::asm!("rep movsb", inout("rcx") count => _, inout("rdi") to => _, inout("rsi") from => _,
                options(nostack, preserves_flags));
        }
        to
    }

    #[cfg(target_arch = "x86_64")]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
        // SAFETY: the caller's promise; the string instruction changes only these registers.
        unsafe {
            core::arch::asm!("rep stosb", inout("rcx") count => _, inout("rdi") to => _, in("al") byte as u8,
                options(nostack, preserves_flags));
        }
        to
    }

    #[cfg(target_arch = "aarch64")]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        for i in 0..count {
            // SAFETY: the caller's promise; volatile, so that this stays a loop.
            unsafe { to.add(i).write_volatile(from.add(i).read_volatile()) };
        }
        to
    }

    #[cfg(target_arch = "aarch64")]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
        for i in 0..count {
            // SAFETY: the caller's promise; volatile, so that this stays a loop.
            unsafe { to.add(i).write_volatile(byte as u8) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        if (to as usize) <= from as usize || to as usize >= from as usize + count {
            // SAFETY: the caller's promise, and forwards is the right way.
            return unsafe { memcpy(to, from, count) };
        }
        for i in (0..count).rev() {
            // SAFETY: the caller's promise; volatile, so that this stays a loop.
            unsafe { to.add(i).write_volatile(from.add(i).read_volatile()) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
        for i in 0..count {
            // SAFETY: the caller's promise; volatile, so that this stays a loop.
            let (x, y) = unsafe { (a.add(i).read_volatile(), b.add(i).read_volatile()) };
            if x != y {
                return i32::from(x) - i32::from(y);
            }
        }
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { memcmp(a, b, count) }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn strlen(text: *const u8) -> usize {
        let mut length = 0;
        // SAFETY: the caller's promise that there is an end; volatile, so that this stays a loop.
        while unsafe { text.add(length).read_volatile() } != 0 {
            length += 1;
        }
        length
    }
}
