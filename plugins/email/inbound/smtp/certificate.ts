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

/** The certificate that the settings name; null if they name none. */
export const certificateOf = ({
  inboundTlsCert: cert,
  inboundTlsKey: key,
}: {
  inboundTlsCert: string | undefined;
  inboundTlsKey: string | undefined;
}): CertificateFiles | null => (cert === undefined || key === undefined ? null : { cert, key });

/**
 * Gives a server its certificate, and replaces it within a minute after the files have changed.
 * @param name of the server, for the log
 * @returns a function that stops checking the files
 * @throws the system's error if the files cannot be read now; later such errors are logged, and the server keeps its
 * certificate
 */
export async function watchCertificate(
  server: SMTPServer,
  files: CertificateFiles,
  { log, name }: { log: Pick<Log, 'error'>; name: string },
): Promise<() => void> {
  let loaded = { cert: Buffer.alloc(0), key: Buffer.alloc(0) };
  const load = async (): Promise<void> => {
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    if (!cert.equals(loaded.cert) || !key.equals(loaded.key)) server.updateSecureContext({ cert, key });
    loaded = { cert, key };
  };
  await load();
  const timer = setInterval(() => {
    load().catch((error: unknown) => log.error({ err: error }, `the certificate of ${name} could not be read`));
  }, checkMs).unref();
  return () => clearInterval(timer);
}
