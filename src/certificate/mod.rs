//! Certificates of the servers that we speak TLS to, MySQL and Kafka alike.
//!
//! `verifier` is the check that rustls asks for; `x509` and `der` read of a certificate what webpki does not.

pub(crate) mod der;
pub(crate) mod verifier;
pub(crate) mod x509;
