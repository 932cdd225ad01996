//! `${provider:path:key}` → what it stands for, as Kafka Connect's configuration providers do.
//!
//! Three providers are built in under the names that their users give them: `env` (`${env:NAME}`), `file`
//! (`${file:/path:key}`, a .properties file) and `dir` (`${dir:/folder:file}`, the whole text of a file). A worker may
//! give them other names by `config.providers` and `config.providers.NAME.class`. A placeholder of a provider that
//! nobody knows is a problem: passing it on as text would send it to a server as a password. Text without a colon
//! (`${routedByValue}`) is no placeholder. What a placeholder stands for is not looked into again.

use std::path::Path;

use crate::config::problem::ConfigProblem;
use crate::config::properties::{Properties, java};

/// The kinds of provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProviderKind {
    Environment,
    File,
    Directory,
}

/// The configuration providers by name.
#[derive(Clone, Debug)]
pub struct Providers {
    named: Vec<(String, ProviderKind)>,
}

impl Default for Providers {
    fn default() -> Self {
        let named = [
            ("env", ProviderKind::Environment),
            ("file", ProviderKind::File),
            ("dir", ProviderKind::Directory),
            ("directory", ProviderKind::Directory),
        ];
        Providers { named: named.map(|(name, kind)| (name.to_owned(), kind)).to_vec() }
    }
}

impl Providers {
    /// The built-in providers and those that a worker names. A class that is not one of Kafka's three is passed over:
    /// only its use is a problem.
    pub fn from_worker(worker: &Properties) -> Providers {
        let mut providers = Providers::default();
        for name in worker.get("config.providers").unwrap_or_default().split(',').map(str::trim) {
            let class = worker.get(&format!("config.providers.{name}.class")).unwrap_or_default();
            let kind = match class.rsplit('.').next() {
                Some("EnvVarConfigProvider") => ProviderKind::Environment,
                Some("FileConfigProvider") => ProviderKind::File,
                Some("DirectoryConfigProvider") => ProviderKind::Directory,
                _ => continue,
            };
            providers.named.insert(0, (name.to_owned(), kind));
        }
        providers
    }

    fn kind(&self, name: &str) -> Option<ProviderKind> {
        self.named.iter().find(|(known, _)| known == name).map(|&(_, kind)| kind)
    }

    /// What one placeholder stands for, or why it stands for nothing.
    fn look_up(&self, provider: &str, path: &str, key: Option<&str>) -> Result<String, (String, String)> {
        let Some(kind) = self.kind(provider) else {
            let known: Vec<&str> = self.named.iter().map(|(name, _)| name.as_str()).collect();
            return Err((
                format!("no configuration provider is named {provider}"),
                format!("use one of {}, or name it in config.providers of the worker file", known.join(", ")),
            ));
        };
        match (kind, key) {
            (ProviderKind::Environment, None) => std::env::var(path).map_err(|_| {
                (format!("environment variable {path} is not set"), format!("set {path} for the process"))
            }),
            (ProviderKind::Environment, Some(_)) => {
                Err(("an environment placeholder has no path".to_owned(), "write ${env:NAME}".to_owned()))
            }
            (ProviderKind::File, Some(key)) => read_key(path, key),
            (ProviderKind::Directory, Some(key)) => {
                let file = Path::new(path).join(key);
                std::fs::read_to_string(&file).map_err(|error| {
                    (
                        format!("{} cannot be read: {error}", file.display()),
                        "make the file readable".to_owned(),
                    )
                })
            }
            (ProviderKind::File | ProviderKind::Directory, None) => {
                Err(("the placeholder has no key".to_owned(), format!("write ${{{provider}:PATH:KEY}}")))
            }
        }
    }
}

fn read_key(path: &str, key: &str) -> Result<String, (String, String)> {
    let unreadable = |reason: String| (reason, "make the file readable and well formed".to_owned());
    let bytes = std::fs::read(path).map_err(|error| unreadable(format!("{path} cannot be read: {error}")))?;
    let properties = java::parse(&java::decode_text(&bytes), Path::new(path))
        .map_err(|error| unreadable(error.to_string()))?;
    match properties.get_untrimmed(key) {
        Some(value) => Ok(value.to_owned()),
        None => Err((format!("{path} has no property {key}"), format!("add {key} to {path}"))),
    }
}

impl Properties {
    /// Replaces every placeholder; all that stand for nothing are reported together.
    pub fn resolve(&mut self, providers: &Providers) -> Vec<ConfigProblem> {
        let mut problems = Vec::new();
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        for name in names {
            let Some(text) = self.get_untrimmed(&name).filter(|text| text.contains("${")) else { continue };
            match replace(text, providers) {
                Ok(Some(resolved)) => self.replace_resolved(&name, resolved),
                Ok(None) => {}
                Err((actual, remedy)) => {
                    self.mark_unresolved(&name);
                    let expected = "a placeholder that stands for a value";
                    problems.push(ConfigProblem::new(self, &name, expected, actual, remedy));
                }
            }
        }
        problems
    }
}

/// The text with all placeholders replaced; none when there are none.
fn replace(text: &str, providers: &Providers) -> Result<Option<String>, (String, String)> {
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((inside, behind)) = after.split_once('}') else {
            out.push_str("${");
            rest = after;
            continue;
        };
        rest = behind;
        match inside.split_once(':') {
            None => {
                out.push_str("${");
                out.push_str(inside);
                out.push('}');
            }
            Some((provider, place)) => {
                found = true;
                let (path, key) = match place.split_once(':') {
                    Some((path, key)) => (path, Some(key)),
                    None => (place, None),
                };
                out.push_str(&providers.look_up(provider, path, key)?);
            }
        }
    }
    out.push_str(rest);
    Ok(found.then_some(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::properties::Origin;
    use std::io::Write;

    fn resolved(value: &str, providers: &Providers) -> Result<String, String> {
        let mut properties = Properties::new();
        properties.insert("p", value, Origin::CommandLine);
        let problems = properties.resolve(providers);
        match problems.first() {
            Some(problem) => Err(problem.actual.clone()),
            None => Ok(properties.get_untrimmed("p").unwrap_or_default().to_owned()),
        }
    }

    #[test]
    fn providers_give_values() {
        let mut file = tempfile::NamedTempFile::new().expect("temporary file");
        writeln!(file, "user = ann\nweird\\:key=2").expect("written");
        let path = file.path().display().to_string();
        let (folder, name) = path.rsplit_once('/').expect("absolute");
        let mut worker = Properties::new();
        worker.insert("config.providers", "vault, secrets", Origin::CommandLine);
        worker.insert(
            "config.providers.secrets.class",
            "org.apache.kafka.common.config.provider.FileConfigProvider",
            Origin::CommandLine,
        );
        let providers = Providers::from_worker(&worker);
        let home = std::env::var("PATH").expect("PATH is set");
        let cases = [
            ("plain".to_owned(), Ok("plain".to_owned())),
            ("${env:PATH}".to_owned(), Ok(home)),
            (format!("<${{file:{path}:user}}>"), Ok("<ann>".to_owned())),
            (format!("${{secrets:{path}:user}}"), Ok("ann".to_owned())),
            (format!("${{dir:{folder}:{name}}}"), Ok("user = ann\nweird\\:key=2\n".to_owned())),
            ("a.${routedByValue}.b".to_owned(), Ok("a.${routedByValue}.b".to_owned())),
            ("${unclosed:x".to_owned(), Ok("${unclosed:x".to_owned())),
            ("${vault:a:b}".to_owned(), Err("no configuration provider is named vault".to_owned())),
            (format!("${{file:{path}:none}}"), Err(format!("{path} has no property none"))),
            ("${file:/p}".to_owned(), Err("the placeholder has no key".to_owned())),
            (
                "${env:TIDEWIRE_SURELY_NOT_SET}".to_owned(),
                Err("environment variable TIDEWIRE_SURELY_NOT_SET is not set".to_owned()),
            ),
        ];
        for (value, expected) in cases {
            assert_eq!(resolved(&value, &providers), expected, "{value}");
        }
    }
}
