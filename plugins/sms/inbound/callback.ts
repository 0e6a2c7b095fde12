import type { Callback } from '#core/kernel/callback.js';
import { chooseProvider } from '../providers/choose.js';
import { receiveText } from './receive.js';

/**
 * Takes received texts from the provider of SVC_SMS_URL, which signs them. The provider gets a positive answer once the
 * text is committed, and also if the text is for no environment: delivering it again would change nothing.
 */
export const inboundCallback: Callback = {
  path: '/v1/sms/inbound',
  async answer(request, services) {
    const provider = chooseProvider(services);
    const text = provider.parseInbound(request);
    if (text) await receiveText(services, provider.name, text);
    return provider.taken;
  },
};
