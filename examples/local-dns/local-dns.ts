import DNS from 'dns2';
import { Svc } from 'svc-sdk';

const [port = '5300'] = process.argv.slice(2);
const svc = new Svc({
  baseUrl: process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['SVC_API_KEY'],
});

/** The records that the sending domains of the environment ask for. */
async function recordsOf(type: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for await (const domain of svc.email.domain.list.all({}))
    for (const record of domain.records)
      if (record.type === type && record.name === name.toLowerCase()) found.push(record.value);
  return found;
}

/** A record in the form that dns2 sends. A TXT value is split into strings of 255 octets (RFC 1035 §3.3). */
function resourceOf(name: string, type: number, value: string): DNS.Packet.Resource {
  const resource = new DNS.Packet.Resource(name, type, DNS.Packet.CLASS.IN, 1);
  if (type === DNS.Packet.TYPE.TXT) return Object.assign(resource, { data: value.match(/.{1,255}/gs) ?? [''] });
  const [priority, exchange] = value.split(' ');
  return Object.assign(resource, { priority: Number(priority), exchange });
}

const types = new Map<number, string>([
  [DNS.Packet.TYPE.TXT, 'TXT'],
  [DNS.Packet.TYPE.MX, 'MX'],
]);

async function answer(request: DNS.Packet): Promise<DNS.Packet> {
  const response = DNS.Packet.createResponseFromRequest(request);
  const [question] = request.questions;
  const type = question && types.get(question.type);
  if (!question || type === undefined) return response;
  try {
    for (const value of await recordsOf(type, question.name))
      response.answers.push(resourceOf(question.name, question.type, value));
    console.log(`${type} ${question.name}: ${response.answers.length}`);
  } catch (error) {
    console.error(error);
    response.header.rcode = 2; // SERVFAIL
  }
  return response;
}

const server = DNS.createServer({ udp: true, tcp: true, handle: (request, send) => void answer(request).then(send) });
const at = { port: Number(port), address: '127.0.0.1' };
await server.listen({ udp: at, tcp: at });
console.log(`Answering at 127.0.0.1:${port}`);
