import type { Listener, ListenerPort } from '#core/kernel/listener.js';
import type { StartFacts } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../deployment/settings.js';
import type { RunningServer } from '../inbound/smtp/run-server.js';

type SubmissionPort = ListenerPort & { readonly isImplicit: boolean };

function ports({ settingsOf }: Pick<StartFacts, 'settingsOf'>): SubmissionPort[] {
  const { submissionPort, submissionsPort } = settingsOf(settings);
  const portOf = (port: number | undefined, portSetting: string, isImplicit: boolean): SubmissionPort[] =>
    port === undefined ? [] : [{ name: `SMTP submission on port ${port}`, port, portSetting, role: 'api', isImplicit }];
  return [
    ...portOf(submissionPort, settings.submissionPort.variable, false),
    ...portOf(submissionsPort, settings.submissionsPort.variable, true),
  ];
}

/** The ports of SMTP submission that are set. */
export const submissionPorts = (facts: Pick<StartFacts, 'settingsOf'>): ListenerPort[] =>
  ports(facts).map(({ isImplicit: _, ...port }) => port);

/** The servers of SMTP submission, one for each port that is set. */
export const submissionServers = (services: Services): Listener[] =>
  ports(services.deployment).map(({ port, isImplicit, ...listener }) => {
    let running: RunningServer | undefined;
    return {
      ...listener,
      async start() {
        // Imported here, so that a process without these ports never loads the server.
        running = await (await import('./server.js')).startSubmission(services, port, isImplicit);
      },
      async stop() {
        await running?.stop();
      },
    };
  });
