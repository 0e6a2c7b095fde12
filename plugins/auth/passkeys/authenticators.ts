import type { Translations } from '#core/kernel/language.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { deviceFacts } from '../sessions/device.js';

/**
 * Authenticators by AAGUID, with names from the community list “passkey-authenticator-aaguids”. Used only for names.
 */
const authenticators: Readonly<Record<string, string>> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome · macOS',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge · macOS',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  'f3809540-7f14-49c1-a8b3-8f813b225541': 'Enpass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  'eaecdef2-1c31-5634-8639-f1cbd9c00a08': 'KeePassDX',
  'b35a26b2-8f6e-4697-ab1d-d44db4da28c6': 'Zoho Vault',
};

/** The name of a passkey about which nothing is known. */
const passkey: Translations<string> = {
  en: 'Passkey',
  de: 'Passkey',
  fr: 'Clé d’accès',
  es: 'Llave de acceso',
  pt: 'Chave de acesso',
};

/**
 * The name of a passkey that its user did not name: the password manager's, or the browser and system it was created
 * with.
 * @param aaguid the model of the authenticator; many report only zeros
 * @param languages the user's, best first (BCP 47)
 */
export function passkeyName(aaguid: string, userAgent: string | null, languages: readonly string[]): string {
  const known = authenticators[aaguid];
  if (known !== undefined) return known;
  const { browser, os } = deviceFacts(userAgent);
  const names = [browser, os].filter((each) => each !== null);
  return names.length > 0 ? names.join(' · ').slice(0, 120) : textsFor(passkey, languages).texts;
}
