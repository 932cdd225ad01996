//! ClickHouse as any program reaches it: a statement by HTTP, rows as JSON.

use crate::Outcome;

/// A cell as text; none for NULL.
pub type Cell = Option<String>;

/// The server that `tests/run` started.
pub struct ClickHouse {
    url: String,
}

impl ClickHouse {
    pub fn new(address: &str) -> Self {
        ClickHouse { url: format!("http://{address}/?mutations_sync=2&enable_time_time64_type=1") }
    }

    /// Runs a statement; what it prints.
    pub fn run(&self, sql: &str) -> Outcome<String> {
        let request = ureq::post(&self.url).config().http_status_as_error(false).build();
        let mut answer = request.send(sql).map_err(|error| format!("{error}: {sql}"))?;
        let limit = 1 << 30;
        let text = answer
            .body_mut()
            .with_config()
            .limit(limit)
            .read_to_string()
            .map_err(|error| error.to_string())?;
        if answer.status().is_success() {
            Ok(text)
        } else {
            Err(format!("{}: {}", shortened(&text), shortened(sql)))
        }
    }

    /// The rows of a SELECT.
    pub fn rows(&self, sql: &str) -> Outcome<Vec<Vec<Cell>>> {
        let text = self.run(&format!("{sql} FORMAT JSONCompactStringsEachRow"))?;
        text.lines().map(row).collect()
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(300).collect()
}

/// Strings stand for all values; NULL is told apart by what `rows` is asked for, which begins each value with a mark.
fn row(line: &str) -> Outcome<Vec<Cell>> {
    let cells: Vec<String> = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
    cells
        .into_iter()
        .map(|cell| match cell.split_at_checked(1) {
            Some(("=", value)) => Ok(Some(value.to_owned())),
            Some(("-", "")) => Ok(None),
            _ => Err(format!("no marked value: {cell}")),
        })
        .collect()
}

/// An expression of text, marked for `rows`.
pub fn marked(expression: &str) -> String {
    format!("ifNull(concat('=', {expression}), '-')")
}
