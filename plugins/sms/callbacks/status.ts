import type { Callback } from '#core/kernel/callback.js';
import { registrationIdIn } from '../providers/callback-values.js';
import { chooseProvider } from '../providers/choose.js';
import { checkNow } from '../registrations/check-now.js';
import { recordReport } from './record-report.js';

/**
 * Takes the provider's reports about texts, and its notices that a registration has changed, after which the provider
 * is asked for the registration's status. Each report is authenticated by the provider's signature. A repeated report,
 * or one about nothing that this deployment sent, is accepted anyway, so that the provider does not send it again.
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
