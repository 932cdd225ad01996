//! What the process says about itself.

pub mod logging;
