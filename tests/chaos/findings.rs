//! What a check finds.

/// Findings that are told.
const TOLD: usize = 10;

/// What was found.
#[derive(Debug, Default)]
pub struct Findings {
    pub lost: usize,
    pub doubled: usize,
    pub reordered: usize,
    pub records: usize,
    pub told: Vec<String>,
}

impl Findings {
    pub fn lost(&mut self, what: impl Into<String>) {
        self.lost += 1;
        self.tell("lost", what.into());
    }

    pub fn doubled(&mut self, what: impl Into<String>) {
        self.doubled += 1;
        self.tell("doubled", what.into());
    }

    pub fn reordered(&mut self, what: impl Into<String>) {
        self.reordered += 1;
        self.tell("reordered", what.into());
    }

    fn tell(&mut self, kind: &str, what: String) {
        if self.told.len() < TOLD {
            self.told.push(format!("{kind}: {what}"));
        }
    }
}
