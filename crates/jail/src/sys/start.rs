//! What a C library would bring: the way from the kernel to `main`, memory, and what to do in a panic.

use super::raw::sys;
use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering};

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
    crate::supervisor::supervise();
    super::process::exit_now(0)
}

/// Hands out memory and never takes any back: the jail lives for one run and needs little.
struct Arena;

#[global_allocator]
static ARENA: Arena = Arena;
static NEXT: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
const CHUNK: usize = 256 * 1024;

// SAFETY: every block lies in memory that was mapped for this alone, is aligned as asked, and is handed out once. The
// process has one thread.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let aligned = |address: usize| (address + layout.align() - 1) & !(layout.align() - 1);
        let mut at = aligned(NEXT.load(Ordering::Relaxed));
        if at + layout.size() > END.load(Ordering::Relaxed) {
            let size = (layout.size() + layout.align()).next_multiple_of(CHUNK);
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new mapping touches nothing that exists.
            let Ok(chunk) = (unsafe { sys!(libc::SYS_mmap, 0, size, protection, flags, -1i32, 0) }) else {
                return core::ptr::null_mut();
            };
            END.store(chunk + size, Ordering::Relaxed);
            at = aligned(chunk);
        }
        NEXT.store(at + layout.size(), Ordering::Relaxed);
        at as *mut u8
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    super::process::exit_now(70)
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
