//! The memory of an engine: counts what it allocates, and refuses what exceeds the limit.
//!
//! The engine does not poll inside its own loops (a spread, `Object.assign`, `for in`), but those that work on much
//! also allocate much. So allocated bytes are charged like polls, and such a loop ends where it is counted.

#![expect(
    unsafe_code,
    reason = "the trait of the engine's allocators is unsafe; every method hands on to the engine's own"
)]

use std::rc::Rc;

use rquickjs::allocator::{Allocator, RustAllocator};

use crate::meter::Meter;

/// The allocator of one engine.
pub(crate) struct CountedMemory {
    meter: Rc<Meter>,
}

impl CountedMemory {
    pub(crate) fn new(meter: Rc<Meter>) -> CountedMemory {
        CountedMemory { meter }
    }
}

// SAFETY: memory comes from `RustAllocator` and goes back to it; a refusal is a null pointer, as the trait asks for.
unsafe impl Allocator for CountedMemory {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if self.meter.allocate(size) { RustAllocator.alloc(size) } else { std::ptr::null_mut() }
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(whole) = count.checked_mul(size) else { return std::ptr::null_mut() };
        if self.meter.allocate(whole) { RustAllocator.calloc(count, size) } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        // SAFETY: the caller promises that the pointer is from here, which means from `RustAllocator`.
        unsafe {
            self.meter.free(RustAllocator::usable_size(pointer));
            RustAllocator.dealloc(pointer);
        }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, size: usize) -> *mut u8 {
        if pointer.is_null() {
            return self.alloc(size);
        }
        // SAFETY: as above.
        unsafe {
            let before = RustAllocator::usable_size(pointer);
            if !self.meter.reallocate(before, size) {
                return std::ptr::null_mut();
            }
            RustAllocator.realloc(pointer, size)
        }
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: as above.
        unsafe { RustAllocator::usable_size(pointer) }
    }
}
