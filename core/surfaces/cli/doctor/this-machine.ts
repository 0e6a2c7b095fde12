import { checkName } from './dns.js';
import type { Finding } from './finding.js';

/**
 * Checks settings, database and mail server if this is the server's machine; their code is loaded only then. The
 * package svc-cli has no code of the server and checks nothing here (scripts/build-cli.ts).
 * @param called the address that the command line calls
 */
export async function thisMachine(called: string): Promise<Finding[]> {
  const { checkOwner, checkSettings, isServersMachine } = await import('./settings.js');
  if (!(await isServersMachine())) return [];
  const { findings, server } = await checkSettings();
  if (!server) return findings;
  const { core } = server.settings;
  const { checkDatabase } = await import('./database.js');
  const { checkSmtp } = await import('./smtp.js');
  const { checkSubmission, submissionFacts } = await import('./submission.js');
  const { baseUrl } = core;
  const name = baseUrl !== undefined && baseUrl !== called ? [await checkName(baseUrl)] : [];
  const smtpUrl = process.env['SVC_SMTP_URL'];
  return [
    ...findings,
    ...(await checkDatabase(server)),
    await checkSmtp(smtpUrl),
    ...(await checkSubmission(submissionFacts(core.baseUrl))),
    ...checkOwner(core, smtpUrl),
    ...name,
  ];
}
