//! The part of CPython's own interface that a nursery inside an interpreter needs: one module with two functions.
//!
//! It is declared here rather than taken from a binding, since it must fit every CPython from 3.8 on; builds without
//! the global lock lay objects out in another way and are refused before the module is loaded.

use super::{Done, Fault};

use core::ffi::{c_char, c_int, c_long, c_void};

unsafe extern "C" {
    fn PyModule_Create2(definition: *mut Definition, version: c_int) -> *mut c_void;
    fn PyBytes_FromStringAndSize(bytes: *const c_char, length: isize) -> *mut c_void;
    fn PyBytes_AsString(object: *mut c_void) -> *const c_char;
    fn PyBytes_Size(object: *mut c_void) -> isize;
    fn PyCapsule_New(
        pointer: *mut c_void,
        name: *const c_char,
        end: extern "C" fn(*mut c_void),
    ) -> *mut c_void;
    fn PyCapsule_GetPointer(capsule: *mut c_void, name: *const c_char) -> *mut c_void;
    fn PyTuple_GetItem(tuple: *mut c_void, at: isize) -> *mut c_void;
    fn PyLong_AsLong(number: *mut c_void) -> c_long;
    fn PyObject_SetAttrString(object: *mut c_void, name: *const c_char, value: *mut c_void) -> c_int;
    fn PyObject_GetAttrString(object: *mut c_void, name: *const c_char) -> *mut c_void;
    fn PyObject_IsTrue(object: *mut c_void) -> c_int;
    fn PyObject_CallObject(function: *mut c_void, arguments: *mut c_void) -> *mut c_void;
    fn PySys_GetObject(name: *const c_char) -> *mut c_void;
    fn PyErr_Clear();
    fn Py_IncRef(object: *mut c_void);
    fn Py_DecRef(object: *mut c_void);
    fn exit(status: c_int) -> !;
    fn PyOS_BeforeFork();
    fn PyOS_AfterFork_Child();
    fn fork() -> c_int;
}

/// The version of the interface that every CPython 3 accepts from a module.
const INTERFACE: c_int = 1013;
const ARGUMENTS: c_int = 1;
const ONE_ARGUMENT: c_int = 8;
/// How Python ends when what a program printed cannot be written.
const NOT_FLUSHED: c_int = 120;

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

/// Makes the module. `serve` is its function `serve`, which takes and gives bytes.
pub fn module(serve: extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void) -> *mut c_void {
    static mut METHODS: [Method; 3] = [const {
        Method { name: core::ptr::null(), function: None, flags: 0, documentation: core::ptr::null() }
    }; 3];
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
        let method = |name: &'static core::ffi::CStr, function, flags| Method {
            name: name.as_ptr(),
            function: Some(function),
            flags,
            documentation: core::ptr::null(),
        };
        METHODS[0] = method(c"serve", serve, ONE_ARGUMENT);
        METHODS[1] = method(c"end_with", end_with, ARGUMENTS);
        DEFINITION.methods = (&raw mut METHODS).cast();
        PyModule_Create2(&raw mut DEFINITION, INTERFACE)
    }
}

/// Bytes as an object of the interpreter.
pub fn bytes(content: &[u8]) -> *mut c_void {
    // SAFETY: the lock is held by whoever called us, and the bytes outlive the call.
    unsafe { PyBytes_FromStringAndSize(content.as_ptr().cast(), content.len() as isize) }
}

/// What an object of the interpreter holds, if it is bytes.
///
/// # Safety
///
/// The object lives as long as what is given is used.
pub unsafe fn content<'a>(object: *mut c_void) -> &'a [u8] {
    // SAFETY: the lock is held by whoever called us; a length is there only where there are bytes.
    unsafe {
        match PyBytes_Size(object) {
            length @ 1.. => core::slice::from_raw_parts(PyBytes_AsString(object).cast(), length as usize),
            _ => &[],
        }
    }
}

/// The module's function `end_with`: the process ends, with this exit code, when the interpreter on its way out comes to
/// this module of its own. What a program made is gone by then; what is left are thousands of objects that the process
/// would copy from its parent only to free them.
extern "C" fn end_with(_module: *mut c_void, arguments: *mut c_void) -> *mut c_void {
    // SAFETY: the lock is held by whoever called us, with a tuple of two. One reference to the module is kept for ever,
    // so that it is taken apart in its turn and not before. The pointer in the capsule is a number and never followed.
    unsafe {
        let last = PyTuple_GetItem(arguments, 0);
        let status = PyLong_AsLong(PyTuple_GetItem(arguments, 1)) as usize;
        Py_IncRef(last);
        let capsule = PyCapsule_New((status + 1) as *mut c_void, core::ptr::null(), leave);
        if !capsule.is_null() && PyObject_SetAttrString(last, c"_end".as_ptr(), capsule) == 0 {
            Py_DecRef(capsule);
        }
        bytes(&[])
    }
}

/// Writes what is still to be written, and ends.
extern "C" fn leave(capsule: *mut c_void) {
    // SAFETY: the capsule is the one that was made above.
    let mut status = unsafe { PyCapsule_GetPointer(capsule, core::ptr::null()) } as c_int - 1;
    for name in [c"stdout", c"stderr"] {
        // SAFETY: the interpreter frees the capsule with its lock held; the stream is borrowed from its module.
        unsafe {
            let stream = PySys_GetObject(name.as_ptr());
            if stream.is_null() || is(stream, c"closed") {
                continue;
            }
            let flush = PyObject_GetAttrString(stream, c"flush".as_ptr());
            if !flush.is_null() && PyObject_CallObject(flush, core::ptr::null_mut()).is_null() {
                // Python has tried before, and has told of it.
                status = NOT_FLUSHED;
                PyErr_Clear();
            }
        }
    }
    // SAFETY: the C library's own end, as Python's would be.
    unsafe { exit(status) }
}

/// Whether this attribute is there and true.
unsafe fn is(object: *mut c_void, name: &core::ffi::CStr) -> bool {
    // SAFETY: as for whoever calls.
    unsafe {
        let value = PyObject_GetAttrString(object, name.as_ptr());
        if value.is_null() {
            PyErr_Clear();
            return false;
        }
        PyObject_IsTrue(value) == 1
    }
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
