import { coreSettings, isDefaultOwner } from '#core/kernel/settings.js';
import { firstOwners } from '#core/kernel/ports.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { Services } from '#core/kernel/services.js';

/* The meaning of SVC_OWNER_EMAIL after the first account is open. */

const { defaultValue } = coreSettings.ownerEmail;

/**
 * Gives an owner of the first account who still has the default address the address of SVC_OWNER_EMAIL. Owners with any
 * other address keep it: the setting is for the first start. Runs at every start, under the start lock.
 * @returns lines for the start's output: the change, or what to do if mail to owners reaches nobody or the setting
 *   changes nothing
 */
export function updateFirstOwner({ deployment, transaction }: Services): Promise<string[]> {
  const wanted = deployment.settings.ownerEmail;
  return transaction('Start', async ({ use }) => {
    const owners = use(firstOwners);
    const addresses = await owners.addresses();
    if (addresses.length === 0) return [];
    const hasDefault = addresses.some(isDefaultOwner);
    const isLost = hasDefault && owners.isMailSent();
    if (isDefaultOwner(wanted)) return isLost ? [lost] : [];
    if (addresses.includes(mailboxKey(wanted))) return isLost ? [left] : [];
    if (!hasDefault) return [ignored(wanted)];
    const holder = await owners.changeAddress(defaultValue, wanted);
    return [holder ? taken(wanted, holder) : changed(wanted)];
  });
}

const lost = `warning    mail to the first account’s owner reaches nobody: the address is ${defaultValue}, so sign-in codes and notices to owners are lost. Set SVC_OWNER_EMAIL to an address that you read, and start svc again.`;
const left = `warning    ${defaultValue} is still an owner of the first account, and mail to it reaches nobody. Remove that member (account.member.remove).`;
const ignored = (wanted: string): string =>
  `warning    SVC_OWNER_EMAIL=${wanted} changes nothing: the setting is for the first start, and that address does not belong to an owner of the first account. Invite it as an owner (account.member.invite), or set SVC_OWNER_EMAIL to an owner’s address.`;
const taken = (wanted: string, { role, status }: { role: string; status: string }): string =>
  `warning    SVC_OWNER_EMAIL=${wanted} changes nothing: that address already belongs to a member of the first account (${role}, ${status}). ${
    status === 'active'
      ? 'Make that member an owner (account.member.role.set)'
      : 'Invite it as an owner (account.member.invite)'
  }, then remove ${defaultValue} (account.member.remove).`;
const changed = (wanted: string): string =>
  `owner      the first account’s owner is now ${wanted}, from SVC_OWNER_EMAIL, instead of ${defaultValue}. Sign in with that address.`;
