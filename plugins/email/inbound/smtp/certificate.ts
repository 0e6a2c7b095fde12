import { readFile } from 'node:fs/promises';
import type { SMTPServer } from 'smtp-server';
import type { Log } from '#core/runtime/log.js';

/** Milliseconds between checks of the files. */
const checkMs = 60_000;

/** The paths of a certificate and its key, as PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Gives a server its certificate, and replaces it within a minute after the files have changed.
 * @returns a function that stops checking the files
 * @throws the system's error if the files cannot be read now; later such errors are logged, and the server keeps its
 * certificate
 */
export async function watchCertificate(
  server: SMTPServer,
  files: CertificateFiles,
  log: Pick<Log, 'error'>,
): Promise<() => void> {
  let loaded = { cert: Buffer.alloc(0), key: Buffer.alloc(0) };
  const load = async (): Promise<void> => {
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    if (!cert.equals(loaded.cert) || !key.equals(loaded.key)) server.updateSecureContext({ cert, key });
    loaded = { cert, key };
  };
  await load();
  const timer = setInterval(() => {
    load().catch((error: unknown) =>
      log.error({ err: error }, 'the certificate of the SMTP receiver could not be read'),
    );
  }, checkMs).unref();
  return () => clearInterval(timer);
}
