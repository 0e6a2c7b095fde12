import { createServer, type Socket } from 'node:net';

/*
 * A mail server that accepts every message and stores none. It accepts pipelined commands, as Postfix, Exim and the
 * large providers do. It is silent until SIGUSR2, so that nothing is delivered while something else is measured.
 */

let isOpen = false;
const silent = new Set<() => void>();
process.on('SIGUSR2', () => {
  isOpen = true;
  silent.forEach((greet) => greet());
  silent.clear();
});

const end = '\r\n.\r\n';

function serve(socket: Socket): void {
  let text = '';
  let inMessage = false;
  const greet = (): void => void socket.write('220 sink\r\n');
  if (isOpen) greet();
  else silent.add(greet);
  socket.setNoDelay(true);
  socket.on('error', () => silent.delete(greet));
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    let answers = '';
    for (;;) {
      const at = text.indexOf(inMessage ? end : '\r\n');
      if (at < 0) break;
      const line = text.slice(0, at);
      text = text.slice(at + (inMessage ? end.length : 2));
      if (inMessage) {
        inMessage = false;
        answers += '250 taken\r\n';
      } else if (/^data/i.test(line)) {
        inMessage = true;
        answers += '354 go on\r\n';
      } else if (/^ehlo/i.test(line)) answers += '250-sink\r\n250 PIPELINING\r\n';
      else answers += /^quit/i.test(line) ? '221 bye\r\n' : '250 fine\r\n';
    }
    if (answers !== '') socket.write(answers);
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const bound = server.address();
  process.stdout.write(`address http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
