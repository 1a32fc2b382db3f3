//! The answer to a request.

use std::net::IpAddr;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};

use crate::assets::{Content, File, Site};
use crate::encoding::Encoding;

/// The path of the health check.
const HEALTH: &str = "/health";

/// The headers of every answer besides the policy. The page needs nothing that they forbid.
const ALWAYS: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// Answers a request of a client. The body of the request is not read.
pub(crate) fn answer<B>(
    site: &Site,
    request: &Request<B>,
    client: IpAddr,
    redirects_to_https: bool,
) -> Response<Body> {
    let path = request.uri().path();
    let is_health = path == HEALTH;
    let mut response = if redirects_to_https && !is_health && !is_safe(request, client) {
        to_https(request)
    } else if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "expected GET or HEAD\n");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        response
    } else if is_health {
        text(StatusCode::OK, "ok")
    } else if let Some(file) = site.find(path) {
        send(file, request.headers())
    } else {
        text(StatusCode::NOT_FOUND, "no such file\n")
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, site.policy.clone());
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Sends the file in an encoding that the client accepts, or reports that the file has not changed.
fn send(file: &File, given: &HeaderMap) -> Response<Body> {
    let encoding = Encoding::accepted(given);
    let Content { bytes, tag } = file.content(encoding);
    let mut response = if is_known(given, tag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let mut response = Response::new(Body::from(bytes.clone()));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        if encoding != Encoding::Identity {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Another version of the program may have other files with the same names.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Whether the client has this version of a file.
fn is_known(given: &HeaderMap, tag: &HeaderValue) -> bool {
    let tags = given.get_all(header::IF_NONE_MATCH).into_iter();
    let mut tags = tags.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    tags.any(|it| it.trim() == "*" || it.trim().trim_start_matches("W/").as_bytes() == tag)
}

/// Whether the connection is private: the client is on this machine, or a proxy received HTTPS.
fn is_safe<B>(request: &Request<B>, client: IpAddr) -> bool {
    let protocol = request.headers().get("x-forwarded-proto");
    client.to_canonical().is_loopback() || protocol.is_some_and(|it| it == "https")
}

fn to_https<B>(request: &Request<B>) -> Response<Body> {
    let host = request.headers().get(header::HOST).and_then(|it| it.to_str().ok());
    let is_name = |it: &&str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        !it.is_empty() && it.bytes().all(is_part)
    };
    let Some(host) = host.filter(is_name) else {
        return text(StatusCode::BAD_REQUEST, "expected the header Host\n");
    };
    let address = HeaderValue::try_from(format!("https://{host}{}", request.uri().path()));
    let Ok(address) = address else { return text(StatusCode::BAD_REQUEST, "") };
    let mut response = text(StatusCode::MOVED_PERMANENTLY, "");
    response.headers_mut().insert(header::LOCATION, address);
    response
}

fn text(status: StatusCode, words: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(words));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(words.len()));
    response
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::Asset;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

    fn answered(
        client: IpAddr,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Response<Body> {
        let page =
            gzip(b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">");
        let index = Asset { name: "index.html", brotli: b"br", gzip: page };
        let engine = Asset { name: "engine.wasm", brotli: b"br", gzip: gzip(b"engine") };
        let site = Site::new(Box::leak(Box::new([index, engine]))).expect("both files are fine");
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(&site, &request.body(()).expect("a request"), client, true)
    }

    fn gzip(bytes: &[u8]) -> &'static [u8] {
        let level = flate2::Compression::default();
        let mut encoder = flate2::bufread::GzEncoder::new(bytes, level);
        let mut packed = Vec::new();
        std::io::Read::read_to_end(&mut encoder, &mut packed).expect("bytes can be read");
        packed.leak()
    }

    fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
        response.headers().get(name).map_or("", |it| it.to_str().expect("a text"))
    }

    #[test]
    fn a_file_is_sent_in_the_encoding_that_is_accepted() {
        for (accepted, encoding, length) in [("br, gzip", "br", "2"), ("", "", "6")] {
            let response = answered(HERE, "GET", "/engine.wasm", &[("accept-encoding", accepted)]);
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(header(&response, "content-type"), "application/wasm");
            assert_eq!(header(&response, "content-encoding"), encoding);
            assert_eq!(header(&response, "content-length"), length);
            assert_eq!(header(&response, "vary"), "accept-encoding");
        }
    }

    #[test]
    fn a_file_that_the_client_has_is_not_sent_again() {
        let br = ("accept-encoding", "br");
        let tag = header(&answered(HERE, "GET", "/", &[br]), "etag").to_owned();
        for known in [tag.clone(), format!("\"x\", W/{tag}"), "*".to_owned()] {
            let response = answered(HERE, "GET", "/", &[br, ("if-none-match", &known)]);
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(header(&response, "etag"), tag);
        }
        // Another encoding has other bytes, and so another version.
        let response = answered(HERE, "GET", "/", &[("if-none-match", &tag)]);
        assert_eq!(response.status(), StatusCode::OK);
    }

    #[test]
    fn only_names_of_files_are_paths() {
        for path in
            ["/no", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//index.html", "/./", "/engine.wasm/"]
        {
            assert_eq!(answered(HERE, "GET", path, &[]).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(answered(HERE, "GET", "/?x=/..", &[]).status(), StatusCode::OK);
    }

    #[test]
    fn every_answer_has_the_policy() {
        for (method, path) in
            [("GET", "/"), ("HEAD", "/"), ("GET", "/no"), ("POST", "/"), ("GET", "/health")]
        {
            let response = answered(HERE, method, path, &[]);
            let policy = "default-src 'none'; frame-ancestors 'none'";
            assert_eq!(header(&response, "content-security-policy"), policy);
            assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        }
        let response = answered(HERE, "DELETE", "/", &[]);
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(header(&response, "allow"), "GET, HEAD");
    }

    #[test]
    fn other_machines_are_redirected_to_https() {
        let host = ("host", "plumb.example.com:8080");
        let response = answered(ELSEWHERE, "GET", "/app.js?x", &[host]);
        assert_eq!(response.status(), StatusCode::MOVED_PERMANENTLY);
        assert_eq!(header(&response, "location"), "https://plumb.example.com:8080/app.js");
        let response = answered(ELSEWHERE, "GET", "/", &[host, ("x-forwarded-proto", "https")]);
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(answered(ELSEWHERE, "GET", "/health", &[host]).status(), StatusCode::OK);
        for host in ["", "evil.example.com/path", "user@evil.example.com"] {
            let response = answered(ELSEWHERE, "GET", "/", &[("host", host)]);
            assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{host}");
        }
    }
}
