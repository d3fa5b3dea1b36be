//! Memory without a C library.

use super::raw::sys;
use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Hands out memory and never takes any back: a jail lives for one run, and a nursery takes memory only in its children.
pub struct Arena;

static NEXT: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
/// Two processes may share this memory for a while.
static TAKEN: AtomicBool = AtomicBool::new(false);
const CHUNK: usize = 256 * 1024;

// SAFETY: every block lies in memory that was mapped for this alone, is aligned as asked, and is handed out once, to one
// at a time.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        while TAKEN.swap(true, Ordering::Acquire) {
            core::hint::spin_loop();
        }
        let block = hand_out(layout);
        TAKEN.store(false, Ordering::Release);
        block
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
}

fn hand_out(layout: Layout) -> *mut u8 {
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
