//! The system call filter of a worker.
//!
//! On Linux (x86-64, ARM64, RISC-V 64) it allows reading and writing open files, memory, waiting
//! and exiting. Opening a file fails with "permission denied", because the allocator of the C
//! library occasionally tries to read `/proc` and works without it; any other system call kills the
//! process. On other systems there is no filter; the process with its empty environment is the only
//! isolation.

/// Installs the filter, for all threads and permanently; false if that is not possible.
pub(super) fn install() -> bool {
    system::install()
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod system {
    use seccompiler::SeccompAction::{Allow, Errno, KillProcess};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter_all_threads};

    pub(super) fn install() -> bool {
        // The stricter filter has priority. The one that denies comes first: afterwards no filter
        // can be installed.
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
        libc::SYS_ppoll,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll,
    ];
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
mod system {
    pub(super) fn install() -> bool {
        false
    }
}
