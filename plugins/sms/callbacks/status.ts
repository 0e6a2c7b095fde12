import type { Callback } from '#core/kernel/callback.js';
import { registrationIdIn } from '../providers/callback-values.js';
import { chooseProvider } from '../providers/choose.js';
import { checkNow } from '../registrations/check-now.js';
import { recordReport } from './record-report.js';

/**
 * Takes what the provider reports about texts, and that something of a registration has changed: it is then asked how it stands. Each report is authenticated by the provider's signature. A report that comes again, or
 * about nothing that this deployment sent, is taken all the same, so that it need not come again.
 */
export const statusCallback: Callback = {
  path: '/v1/sms/status',
  bodyLimit: 64 * 1024,
  async answer(request, services) {
    const provider = chooseProvider(services);
    const report = provider.parseStatus(request);
    const registrationId = registrationIdIn(request.query);
    if (registrationId !== null) await checkNow(services, registrationId);
    else if (report) await recordReport(services, report);
    return provider.taken;
  },
};
