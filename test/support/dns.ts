import DNS from 'dns2';

/** The records of one name and type. A failing name answers SERVFAIL; a silent one does not answer. */
export interface TestDns {
  /** In the form that SVC_DNS_SERVERS expects. */
  readonly server: string;
  /** Publishes TXT records, replacing those of the name. None: the name has no TXT records. */
  txt(name: string, ...values: string[]): void;
  /** Publishes mail exchangers as `10 mx.example.com`, replacing those of the name. */
  mx(name: string, ...values: string[]): void;
  /** Publishes the records that a sending domain needs. */
  publish(records: readonly { type: 'TXT' | 'MX'; name: string; value: string }[]): void;
  /** Makes look-ups of a name, or of every name, fail as with a broken name server; null ends it. */
  fail(names: readonly string[] | 'all' | null): void;
  /** Makes look-ups of these names get no answer; null ends it. */
  silence(names: readonly string[] | null): void;
  /** How often each name was requested, as `TXT example.com`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const servfail = 2;
const nameError = 3;

/** A name server on a free port of 127.0.0.1, whose records a test changes at any time. */
export async function startDns(): Promise<TestDns> {
  const records = new Map<string, string[]>();
  const asked: string[] = [];
  let failing: readonly string[] | 'all' | null = null;
  let silent: readonly string[] | null = null;

  const handle: DNS.DnsHandler = (request, send) => {
    const response = DNS.Packet.createResponseFromRequest(request);
    const question = request.questions[0];
    if (!question) return;
    const name = question.name.toLowerCase();
    const type = question.type === DNS.Packet.TYPE.MX ? 'MX' : question.type === DNS.Packet.TYPE.TXT ? 'TXT' : 'other';
    asked.push(`${type} ${name}`);
    if (silent?.includes(name) === true) return;
    const values = records.get(`${type} ${name}`) ?? [];
    if (failing === 'all' || failing?.includes(name) === true) response.header.rcode = servfail;
    else if (values.length === 0 && ![...records.keys()].some((key) => key.endsWith(` ${name}`)))
      response.header.rcode = nameError;
    for (const value of values) response.answers.push(resourceOf(question, value));
    void send(response);
  };
  const tcp = DNS.createServer({ tcp: true, handle });
  const { tcp: listening } = await tcp.listen({ tcp: { port: 0, address: '127.0.0.1' } });
  const port = listening?.port ?? 0;
  const udp = DNS.createServer({ udp: true, handle });
  await udp.listen({ udp: { port, address: '127.0.0.1' } });

  const set = (type: string, name: string, values: readonly string[]): void => {
    records.set(`${type} ${name.toLowerCase()}`, [...values]);
  };
  return {
    server: `127.0.0.1:${port}`,
    asked,
    txt: (name, ...values) => set('TXT', name, values),
    mx: (name, ...values) => set('MX', name, values),
    publish: (all) => all.forEach(({ type, name, value }) => set(type, name, [value])),
    fail(names) {
      failing = names;
    },
    silence(names) {
      silent = names;
    },
    async close() {
      await Promise.all([tcp.close(), udp.close()]);
    },
  };
}

/** TXT values are split into strings of 255 octets (RFC 1035 §3.3). */
function resourceOf({ name, type }: DNS.Packet.Question & { name: string; type: number }, value: string) {
  const resource = new DNS.Packet.Resource(name, type, DNS.Packet.CLASS.IN, 0);
  if (type !== DNS.Packet.TYPE.MX) return Object.assign(resource, { data: value.match(/.{1,255}/gs) ?? [''] });
  const [priority = '0', exchange = ''] = value.split(' ');
  return Object.assign(resource, { priority: Number(priority), exchange });
}

/** A name server for the tests of a file: pass `settings` to usePlatform. Call it inside `describe`. */
export function useDns(): { readonly dns: TestDns; settings(): Promise<{ SVC_DNS_SERVERS: string }> } {
  const parts: { dns?: TestDns } = {};
  const running = (): TestDns => {
    if (!parts.dns) throw new Error('The name server does not run yet: use it inside it() or a hook.');
    return parts.dns;
  };
  after(() => parts.dns?.close());
  return {
    get dns() {
      return running();
    },
    async settings() {
      parts.dns = await startDns();
      return { SVC_DNS_SERVERS: parts.dns.server };
    },
  };
}
