import type { Deployment } from '#core/kernel/deployment.js';
import { settings } from './settings.js';

type Facts = Pick<Deployment, 'settingsOf' | 'baseUrl'>;

/** The host that programs connect to for SMTP submission. */
export const submissionHost = ({ settingsOf, baseUrl }: Facts): string =>
  settingsOf(settings).submissionHost ?? new URL(baseUrl).hostname;

/** Where programs submit mail; null if no port is set. */
export function submissionAddress(
  deployment: Facts,
): { host: string; startTlsPort: number | null; tlsPort: number | null } | null {
  const { submissionPort = null, submissionsPort = null } = deployment.settingsOf(settings);
  if (submissionPort === null && submissionsPort === null) return null;
  return { host: submissionHost(deployment), startTlsPort: submissionPort, tlsPort: submissionsPort };
}
