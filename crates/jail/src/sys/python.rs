//! The part of CPython's own interface that a nursery inside an interpreter needs: one module with one function.
//!
//! It is declared here rather than taken from a binding, since it must fit every CPython from 3.8 on; builds without
//! the global lock lay objects out in another way and are refused before the module is loaded.

use super::{Done, Fault};

use core::ffi::{c_char, c_int, c_void};

unsafe extern "C" {
    fn PyModule_Create2(definition: *mut Definition, version: c_int) -> *mut c_void;
    fn PyBytes_FromStringAndSize(bytes: *const c_char, length: isize) -> *mut c_void;
    fn PyOS_BeforeFork();
    fn PyOS_AfterFork_Child();
    fn fork() -> c_int;
}

/// The version of the interface that every CPython 3 accepts from a module.
const INTERFACE: c_int = 1013;
const NO_ARGUMENTS: c_int = 4;

#[repr(C)]
struct Method {
    name: *const c_char,
    function: Option<extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void>,
    flags: c_int,
    documentation: *const c_char,
}

#[repr(C)]
struct Definition {
    references: isize,
    kind: *const c_void,
    init: *const c_void,
    index: isize,
    copy: *const c_void,
    name: *const c_char,
    documentation: *const c_char,
    size: isize,
    methods: *mut Method,
    slots: *const c_void,
    traverse: *const c_void,
    clear: *const c_void,
    free: *const c_void,
}

/// Makes the module. `serve` is its function `serve`, which gives bytes.
pub fn module(serve: extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void) -> *mut c_void {
    static mut METHODS: [Method; 2] = [const {
        Method { name: core::ptr::null(), function: None, flags: 0, documentation: core::ptr::null() }
    }; 2];
    static mut DEFINITION: Definition = Definition {
        references: 1,
        kind: core::ptr::null(),
        init: core::ptr::null(),
        index: 0,
        copy: core::ptr::null(),
        name: c"_formicary".as_ptr(),
        documentation: core::ptr::null(),
        size: -1,
        methods: core::ptr::null_mut(),
        slots: core::ptr::null(),
        traverse: core::ptr::null(),
        clear: core::ptr::null(),
        free: core::ptr::null(),
    };
    // SAFETY: an interpreter makes a module once, with its lock held; the structures have CPython's layout and live
    // as long as the process.
    unsafe {
        METHODS[0] = Method {
            name: c"serve".as_ptr(),
            function: Some(serve),
            flags: NO_ARGUMENTS,
            documentation: core::ptr::null(),
        };
        DEFINITION.methods = (&raw mut METHODS).cast();
        PyModule_Create2(&raw mut DEFINITION, INTERFACE)
    }
}

/// Bytes as an object of the interpreter.
pub fn bytes(content: &[u8]) -> *mut c_void {
    // SAFETY: the lock is held by whoever called us, and the bytes outlive the call.
    unsafe { PyBytes_FromStringAndSize(content.as_ptr().cast(), content.len() as isize) }
}

/// Forks as the interpreter and the C library around us need it.
pub fn forked() -> Done<Option<i32>> {
    // SAFETY: the lock is held by whoever called us, and there is one thread. In the child the interpreter is put in
    // order before anything else; the parent never goes back to it.
    unsafe {
        PyOS_BeforeFork();
        match fork() {
            -1 => Err(Fault { step: "fork the interpreter".into(), errno: libc::EAGAIN }),
            0 => {
                PyOS_AfterFork_Child();
                Ok(None)
            }
            child => Ok(Some(child)),
        }
    }
}
