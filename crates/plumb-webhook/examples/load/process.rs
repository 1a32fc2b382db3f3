//! The server as a separate process.

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use plumb_webhook::{Limits, Options, TemplateSource, TlsFiles};
use tokio::net::TcpSocket;
use tokio::runtime::Builder;
use tokio_rustls::rustls::ClientConfig;

use crate::client::{Client, trusting};
use crate::fixture;

pub(crate) struct Server {
    child: Child,
    directory: PathBuf,
    address: SocketAddr,
    config: Arc<ClientConfig>,
}

/// Serves a directory until the process is terminated.
pub(crate) fn serve(directory: &Path) -> Result<(), Box<dyn Error>> {
    let options = Options {
        listen: "127.0.0.1:0".to_owned(),
        tls: Some(TlsFiles {
            certificate: directory.join("tls.crt"),
            key: directory.join("tls.key"),
        }),
        templates: TemplateSource::Directory(directory.join("templates")),
        machines: None,
        shows_values: false,
        limits: Limits::default(),
        log: Arc::new(|line| eprintln!("{line}")),
    };
    plumb_webhook::serve(options, |_| {})?;
    Ok(())
}

impl Server {
    pub(crate) fn start() -> Result<Self, Box<dyn Error>> {
        let directory = std::env::temp_dir().join(format!("plumb-load-{}", std::process::id()));
        fs::create_dir_all(directory.join("templates"))?;
        fs::write(directory.join("templates/a.yaml"), fixture::template(4))?;
        let certificate = fixture::new_certificate(&directory);
        let mut child = Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(&directory)
            .stderr(Stdio::piped())
            .spawn()?;
        let mut log = BufReader::new(child.stderr.take().ok_or("standard error is piped")?);
        let mut line = String::new();
        log.read_line(&mut line)?;
        let (_, address) =
            line.trim().split_once("listening on ").ok_or("the server logs its address")?;
        let address = address.parse()?;
        // Nobody reads the log, but the pipe must not fill up.
        std::thread::spawn(move || log.lines().for_each(drop));
        let config = Arc::new(trusting(&certificate));
        Ok(Self { child, directory, address, config })
    }

    /// A connection from 127.0.0.`client`.
    pub(crate) fn connect(&self, client: u8) -> std::io::Result<TcpStream> {
        let source = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 0, client)), 0);
        connect(source, self.address)
    }

    pub(crate) fn client(&self, client: u8) -> std::io::Result<Client> {
        Client::over(self.connect(client)?, Arc::clone(&self.config))
    }

    /// The peak memory of the process, in KiB.
    pub(crate) fn peak_memory(&self) -> Result<u64, Box<dyn Error>> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
        let number = line.and_then(|it| it.split_whitespace().next());
        Ok(number.ok_or("no VmHWM in /proc")?.parse()?)
    }

    pub(crate) fn terminate(&self) -> std::io::Result<()> {
        Command::new("kill").arg(self.child.id().to_string()).status().map(|_| ())
    }
}

/// Connects from an address. The standard library cannot choose the source address of a socket.
fn connect(source: SocketAddr, address: SocketAddr) -> std::io::Result<TcpStream> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(source)?;
        let connected = tokio::time::timeout(Duration::from_secs(5), socket.connect(address)).await;
        connected.map_err(|_| std::io::Error::from(std::io::ErrorKind::TimedOut))?
    })?;
    let stream = stream.into_std()?;
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    Ok(stream)
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}
