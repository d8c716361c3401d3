//! What the operating system still does for a worker once it is ready.
//!
//! On Linux (x86-64, ARM64, RISC-V 64): reading and writing what is open, memory, waiting, ending.
//! Opening a file is answered with "permission denied", because the memory allocator of the C library
//! looks into `/proc` now and then and does well without; any other system call ends the process.
//! Elsewhere there is no filter, and the wall is the process itself with its empty environment.

/// Gives up all other system calls, for all threads and for good; false where that cannot be done.
pub(super) fn install() -> bool {
    system::install()
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod system {
    use seccompiler::SeccompAction::{Allow, Errno, KillProcess};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter_all_threads};

    pub(super) fn install() -> bool {
        // The stricter answer counts. The one that denies comes first: afterwards no filter can be set.
        apply(DENIED, Allow, Errno(libc::EACCES as u32)) && apply(&[ALLOWED, DENIED].concat(), KillProcess, Allow)
    }

    fn apply(calls: &[i64], others: SeccompAction, these: SeccompAction) -> bool {
        let rules = calls.iter().map(|call| (*call, Vec::new())).collect();
        let Ok(arch) = std::env::consts::ARCH.try_into() else {
            return false;
        };
        let program = SeccompFilter::new(rules, others, these, arch).and_then(|filter| filter.try_into());
        program.is_ok_and(|program: BpfProgram| apply_filter_all_threads(&program).is_ok())
    }

    const DENIED: &[i64] = &[libc::SYS_openat, libc::SYS_newfstatat, libc::SYS_sched_getaffinity, libc::SYS_sysinfo];

    const ALLOWED: &[i64] = &[
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_readv,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_rt_sigreturn,
        libc::SYS_rt_sigprocmask,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_sched_yield,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_getpid,
    ];
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
mod system {
    pub(super) fn install() -> bool {
        false
    }
}
