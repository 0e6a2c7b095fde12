import type { Listener } from '#core/kernel/listener.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../settings.js';
import type { Receiver } from './receiver.js';

/** The SMTP receiver, where SVC_INBOUND_SMTP_PORT is set. */
export function smtpReceivers(services: Services): Listener[] {
  const { inboundSmtpPort: port } = services.deployment.settingsOf(settings);
  if (port === undefined) return [];
  let running: Receiver | undefined;
  return [
    {
      name: `SMTP on port ${port}`,
      portSetting: settings.inboundSmtpPort.variable,
      role: 'api',
      async start() {
        // Imported here, so that a process that receives no mail never loads the server.
        running = await (await import('./receiver.js')).startReceiver(services, port);
      },
      async stop() {
        await running?.stop();
      },
    },
  ];
}
