//! Bytes in an answer: JSON has only text, so a SELECT that wants bytes asks for `hex(…)` of them.

/// The bytes of the server's digits. What is no digit counts as 0, and half a byte at the end as nothing: the server writes neither.
pub fn from_hex(digits: &str) -> Vec<u8> {
    let digit =
        |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(0);
    digits.as_bytes().as_chunks::<2>().0.iter().map(|&[high, low]| digit(high) << 4 | digit(low)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_bytes() {
        assert_eq!(from_hex("00FF7a"), [0, 255, 0x7a]);
        assert_eq!(from_hex(""), [0u8; 0]);
    }
}
