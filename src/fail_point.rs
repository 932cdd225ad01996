//! Named points at which a test ends the process as a kill would: nothing is written out, nobody is told.
//!
//! `TIDEWIRE_FAIL_POINT=history-stored:3` ends it when it comes to that point for the third time. Only builds with debug
//! assertions look at it; in others a point is nothing.

/// Comes to a point. Costs a comparison where debug assertions are on, and nothing elsewhere.
#[inline]
pub fn fail_point(name: &str) {
    #[cfg(debug_assertions)]
    armed::pass(name);
    #[cfg(not(debug_assertions))]
    let _ = name;
}

#[cfg(debug_assertions)]
mod armed {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static ARMED: LazyLock<Option<(String, AtomicU32)>> = LazyLock::new(|| {
        let text = std::env::var("TIDEWIRE_FAIL_POINT").ok()?;
        let (name, times) = text.split_once(':').unwrap_or((&text, "1"));
        Some((name.to_owned(), AtomicU32::new(times.parse().ok()?)))
    });

    pub fn pass(name: &str) {
        if let Some((armed, left)) = &*ARMED
            && armed == name
            && left.fetch_sub(1, Ordering::Relaxed) == 1
        {
            std::process::abort();
        }
    }
}
