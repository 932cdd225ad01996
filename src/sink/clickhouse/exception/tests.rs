use super::*;

/// Texts that a 26.7 server sent.
#[test]
fn codes_names_and_words() {
    for (body, wanted) in [
        (
            "Code: 60. DB::Exception: Unknown table expression identifier 'nope' in scope SELECT * FROM nope. Maybe you meant \
             system.one?. (UNKNOWN_TABLE) (version 26.7.2.1)\n",
            "code 60 UNKNOWN_TABLE, Unknown table expression identifier 'nope' in scope SELECT * FROM nope. Maybe you meant \
             system.one?",
        ),
        (
            "Code: 516. DB::Exception: bob: Authentication failed: password is incorrect, or there is no user with such name. \
             (AUTHENTICATION_FAILED)\n",
            "code 516 AUTHENTICATION_FAILED, bob: Authentication failed: password is incorrect, or there is no user with \
             such name",
        ),
        // These quote the value.
        (
            "Code: 117. DB::Exception: Cannot insert data into JSON column: Cannot read JSON object from JSON element: \
             [1]: (at row 3)\n: While executing BinaryRowInputFormat. (INCORRECT_DATA) (version 26.7.2.1)\n",
            "code 117 INCORRECT_DATA, at row 3 of the insert",
        ),
        // Of the same code, but about the columns.
        (
            "Code: 117. DB::Exception: Type of 'id' must be Int32, not Int64: (while reading header): While executing \
             BinaryRowInputFormat. (INCORRECT_DATA) (version 26.7.2.1)\n",
            "code 117 INCORRECT_DATA, Type of 'id' must be Int32, not Int64: (while reading header): While executing \
             BinaryRowInputFormat",
        ),
    ] {
        let found = ServerException::of_answer(500, None, None, body.as_bytes()).expect("an exception");
        assert_eq!(found.to_string(), wanted);
    }
}

#[test]
fn an_exception_after_a_200() {
    let tagged = "0\n0\n\r\n__exception__\r\nqkjjuagrugfozqth\r\nCode: 395. DB::Exception: boo: while executing 'FUNCTION \
                  throwIf'. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 26.7.2.1)\n109 qkjjuagrugfozqth\r\n__exception__\r\n";
    let found = ServerException::of_answer(200, None, Some("qkjjuagrugfozqth"), tagged.as_bytes())
        .expect("an exception");
    assert_eq!(found.code, Some(395));
    assert_eq!(found.name, "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO");
    assert_eq!(found.text, "boo: while executing 'FUNCTION throwIf'");

    let older =
        "0\n0\nCode: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED) (version 23.8.1.1)\n";
    let found = ServerException::of_answer(200, None, None, older.as_bytes()).expect("an exception");
    assert_eq!((found.code, found.text.as_str()), (Some(241), "Memory limit exceeded"));
}

/// Output that looks like an exception is none where the server names a tag.
#[test]
fn output_is_no_exception() {
    for (tag, body) in [
        (Some("abc"), "Code: 1. DB::Exception: a text in a table\n"),
        (Some("abc"), "\r\n__exception__\r\nabd\r\nCode: 1"),
        (None, "Code: 5\n"),
        (None, ""),
        (Some("abc"), ""),
    ] {
        assert_eq!(ServerException::of_answer(200, None, tag, body.as_bytes()), None, "{body}");
    }
}

/// A load balancer's page has neither a code nor such a text.
#[test]
fn a_page_of_something_else_is_no_exception() {
    assert_eq!(ServerException::of_answer(502, None, None, b"<html>Bad Gateway</html>"), None);
    let found = ServerException::of_answer(500, Some("252"), None, b"").expect("an exception");
    assert_eq!((found.code, found.to_string().as_str()), (Some(252), "code 252"));
}

#[test]
fn any_bytes_are_taken() {
    for body in
        [&b"Code: "[..], b"Code: 9999999999999. x", b"Code: 1.(", b"\xff\xfe(at row 1", b"Code: 6. ()(A)"]
    {
        let found = ServerException::of_answer(500, Some("x"), None, body);
        assert_eq!(found.is_some(), body.starts_with(b"Code: "), "{body:?}");
    }
}
