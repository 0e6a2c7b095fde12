import type { Listener, ListenerPort } from '#core/kernel/listener.js';
import type { StartFacts } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../deployment/settings.js';
import type { RunningServer } from './run-server.js';

/** The port of the SMTP receiver, if SVC_INBOUND_SMTP_PORT is set. */
export function smtpPorts({ settingsOf }: Pick<StartFacts, 'settingsOf'>): ListenerPort[] {
  const { inboundSmtpPort: port } = settingsOf(settings);
  if (port === undefined) return [];
  return [{ name: `SMTP on port ${port}`, port, portSetting: settings.inboundSmtpPort.variable, role: 'api' }];
}

/** The SMTP receiver, if SVC_INBOUND_SMTP_PORT is set. */
export const smtpReceivers = (services: Services): Listener[] =>
  smtpPorts(services.deployment).map(({ port, ...listener }) => {
    let running: RunningServer | undefined;
    return {
      ...listener,
      async start() {
        // Imported here, so that a process that receives no mail never loads the server.
        running = await (await import('./receiver.js')).startReceiver(services, port);
      },
      async stop() {
        await running?.stop();
      },
    };
  });
