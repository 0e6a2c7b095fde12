import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { pem, submissionPort, submissionSettings } from './support.js';

const run = promisify(execFile);

/** What a program submits. */
interface Letter {
  readonly port: number;
  readonly tlsPort: number;
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly folder: string;
}

interface Client {
  readonly name: string;
  /** The command that must be there, and how to install it on Debian. */
  readonly command: string;
  readonly packages: string;
  readonly submit: (letter: Letter) => Promise<unknown>;
}

const subjectOf = (name: string): string => `Alert of ${name}`;

const python = `import os, smtplib, ssl
from email.message import EmailMessage
message = EmailMessage()
message["From"], message["To"], message["Subject"] = os.environ["FROM"], os.environ["TO"], "Alert of smtplib"
message.set_content("It is red.")
message.add_attachment(b"1,2", maintype="text", subtype="csv", filename="values.csv")
with smtplib.SMTP("localhost", int(os.environ["PORT"])) as smtp:
    smtp.starttls(context=ssl.create_default_context(cafile=os.environ["CA"]))
    smtp.login("python", os.environ["KEY"])
    smtp.send_message(message)
`;

const go = `package main

import (
	"crypto/tls"
	"crypto/x509"
	"net/smtp"
	"os"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	pem, err := os.ReadFile(os.Getenv("CA"))
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client, err := smtp.Dial("localhost:" + os.Getenv("PORT"))
	check(err)
	check(client.StartTLS(&tls.Config{ServerName: "localhost", RootCAs: roots}))
	check(client.Auth(smtp.PlainAuth("", "go", os.Getenv("KEY"), "localhost")))
	check(client.Mail(os.Getenv("FROM")))
	check(client.Rcpt(os.Getenv("TO")))
	writer, err := client.Data()
	check(err)
	_, err = writer.Write([]byte("From: " + os.Getenv("FROM") + "\\r\\nTo: " + os.Getenv("TO") + "\\r\\nSubject: Alert of Go\\r\\n\\r\\nIt is red.\\r\\n"))
	check(err)
	check(writer.Close())
	check(client.Quit())
}
`;

const environment = ({ port, key, from, to }: Letter): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ PORT: String(port), KEY: key, FROM: from, TO: to, CA: pem('ca') },
});

/** A message as programs pipe it into sendmail. */
const rfc822 = ({ from, to }: Letter, name: string): string =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: ${subjectOf(name)}\r\n\r\nIt is red.\r\n`;

const clients: readonly Client[] = [
  {
    name: 'smtplib',
    command: 'python3',
    packages: 'python3',
    submit: (letter) => run('python3', ['-c', python], { env: environment(letter) }),
  },
  {
    name: 'Go',
    command: 'go',
    packages: 'golang-go',
    async submit(letter) {
      const file = join(letter.folder, 'main.go');
      await writeFile(file, go);
      await run('go', ['run', file], { env: { ...environment(letter), GOCACHE: join(letter.folder, 'go') } });
    },
  },
  {
    name: 'curl',
    command: 'curl',
    packages: 'curl',
    async submit(letter) {
      const file = join(letter.folder, 'letter.eml');
      await writeFile(file, rfc822(letter, 'curl'));
      const { tlsPort, key, from, to } = letter;
      const tls = ['--cacert', pem('ca'), '--url', `smtps://localhost:${tlsPort}`];
      await run('curl', ['-sS', ...tls, '--user', `curl:${key}`, '--mail-from', from, '--mail-rcpt', to, '-T', file]);
    },
  },
  {
    // Without TLS, which is allowed on loopback: its TLS needs another package of Perl.
    name: 'swaks',
    command: 'swaks',
    packages: 'swaks',
    submit({ port, key, from, to }) {
      const login = ['--auth', 'LOGIN', '--auth-user', 'swaks', '--auth-password', key];
      const header = ['--header', `Subject: ${subjectOf('swaks')}`];
      return run('swaks', ['--server', 'localhost', '--port', String(port), ...login, '-f', from, '-t', to, ...header]);
    },
  },
  {
    name: 'msmtp',
    command: 'msmtp',
    packages: 'msmtp',
    async submit(letter) {
      const { port, key, from, to, folder } = letter;
      const file = join(folder, 'letter.eml');
      await writeFile(file, rfc822(letter, 'msmtp'));
      const options = [
        '--auth=plain',
        '--user=msmtp',
        `--passwordeval=echo ${key}`,
        '--tls=on',
        `--tls-trust-file=${pem('ca')}`,
      ];
      const args = ['--host=localhost', `--port=${port}`, `--from=${from}`, ...options, to];
      await run('sh', ['-c', 'file=$1; shift; exec msmtp "$@" < "$file"', 'sh', file, ...args]);
    },
  },
];

describe('Programs that submit mail by SMTP', function () {
  this.timeout(600_000);
  const platform = usePlatform({ settings: () => submissionSettings });

  for (const { name, command, packages, submit } of clients)
    it(name, async function () {
      const isThere = await run('sh', ['-c', `command -v ${command}`]).then(
        () => true,
        () => false,
      );
      if (!isThere) {
        process.stdout.write(`Skipped: there is no ${command}. On Debian: apt-get install ${packages}.\n`);
        this.skip();
      }
      const account = await platform.account();
      const { ownAddress: from } = await account.svc.call('email.sender.get', {});
      const folder = await mkdtemp(join(tmpdir(), 'svc-smtp-'));
      after(() => rm(folder, { recursive: true, force: true }));
      const to = 'ada@example.com';
      const [port, tlsPort] = [submissionPort(platform), submissionPort(platform, true)];
      await submit({ port, tlsPort, key: account.keys.live.secret, from, to, folder });
      const { messages } = await account.svc.call('email.message.list', {});
      expect(messages.map(({ to: recipients, subject }) => ({ recipients, subject }))).to.deep.equal([
        { recipients: [to], subject: subjectOf(name) },
      ]);
    });
});
