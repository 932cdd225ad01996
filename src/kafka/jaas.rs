//! `sasl.jaas.config`: the login of a Java client, such as
//! `org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p";`.
//!
//! The syntax is that of JAAS (javax.security.auth.login.Configuration): class, flag, `name=value` options with
//! optional double quotes in which a backslash escapes, and a semicolon.

/// The librdkafka properties of a login. The error never repeats the text: it holds a password.
pub fn client_properties(text: &str) -> Result<Vec<(&'static str, String)>, &'static str> {
    let words = words(text)?;
    let mut words = words.iter().map(String::as_str);
    let class = words.next().ok_or("it is empty")?;
    if !matches!(words.next(), Some("required" | "requisite" | "sufficient" | "optional")) {
        return Err("the class of the login module is not followed by required");
    }
    let options: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
    let option =
        |name: &str| options.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    match class.rsplit('.').next().unwrap_or(class) {
        "PlainLoginModule" | "ScramLoginModule" => Ok(vec![
            ("sasl.username", option("username").ok_or("it has no username")?),
            ("sasl.password", option("password").ok_or("it has no password")?),
        ]),
        "OAuthBearerLoginModule" => Err("tokens of OAUTHBEARER are not fetched"),
        "Krb5LoginModule" => Err("kerberos is not built in"),
        _ => Err("its login module is not known"),
    }
}

/// The words up to the semicolon; quotes are taken off, so that `a="b c"` is the word `a=b c`.
fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => word.push(letters.next().ok_or("a quote is not closed")?),
            '"' => quoted = !quoted,
            ';' if !quoted => {
                if !word.is_empty() {
                    words.push(word);
                }
                return Ok(words);
            }
            space if space.is_whitespace() && !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            other => word.push(other),
        }
    }
    Err(if quoted { "a quote is not closed" } else { "it does not end with a semicolon" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins() {
        let class = "org.apache.kafka.common.security.plain.PlainLoginModule required";
        let cases = [
            (format!("{class} username=\"u\" password=\"p\";"), Ok(("u", "p"))),
            (format!("{class}\n  username=u\n  password='p;"), Ok(("u", "'p"))),
            (format!("{class} password=\"a b\\\\c;\" username=\"x=y\" ;"), Ok(("x=y", "a b\\c;"))),
            (format!("{class} username=\"u\" password=\"p\""), Err("it does not end with a semicolon")),
            (format!("{class} username=\"u\" password=\"p;"), Err("a quote is not closed")),
            (format!("{class} username=\"u\";"), Err("it has no password")),
            ("com.acme.Login required;".to_owned(), Err("its login module is not known")),
            (String::new(), Err("it does not end with a semicolon")),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(user, password)| {
                vec![("sasl.username", user.to_owned()), ("sasl.password", password.to_owned())]
            });
            assert_eq!(client_properties(&text), expected, "{text}");
        }
    }
}
