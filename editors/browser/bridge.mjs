// Connects a WebSocket to a server on standard input and output: one message of the socket is one
// message of the protocol, without its header.
import { spawn } from 'node:child_process';
import { WebSocketServer } from 'ws';

export function bridge(program, directory) {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  sockets.on('connection', (socket) => {
    const server = spawn(program, ['lsp'], { cwd: directory, stdio: ['pipe', 'pipe', 'inherit'] });
    let pending = Buffer.alloc(0);
    server.stdout.on('data', (data) => {
      pending = Buffer.concat([pending, data]);
      for (;;) {
        const end = pending.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/Content-Length: (\d+)/i.exec(pending.subarray(0, end).toString())[1]);
        if (pending.length < end + 4 + length) return;
        socket.send(pending.subarray(end + 4, end + 4 + length).toString());
        pending = pending.subarray(end + 4 + length);
      }
    });
    socket.on('message', (message) => {
      const body = Buffer.from(message.toString());
      server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
      server.stdin.write(body);
    });
    socket.on('close', () => server.stdin.end());
  });
  return new Promise((resolve) => {
    sockets.on('listening', () => resolve({ port: sockets.address().port, close: () => sockets.close() }));
  });
}
