//! The module's one entry, and what a program without Rust's own runtime must bring.

use core::ffi::c_void;
use formicary_jail::nursery::{self, Forks};
use formicary_jail::sys::arena::Arena;
use formicary_jail::sys::{memory, process, python};

#[global_allocator]
static ARENA: Arena = Arena;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    process::exit_now(70)
}

/// What the interpreter calls when it loads the module.
#[unsafe(no_mangle)]
pub extern "C" fn PyInit__formicary() -> *mut c_void {
    python::module(serve)
}

/// Comes back only in a child that is to run a program. It is told which memory programs write to.
extern "C" fn serve(_module: *mut c_void, written: *mut c_void) -> *mut c_void {
    // SAFETY: whoever called holds the object until this returns.
    let written = memory::ranges(unsafe { python::content(written) });
    python::bytes(&nursery::serve(true, Forks::By { fork: python::forked, written: &written }))
}
