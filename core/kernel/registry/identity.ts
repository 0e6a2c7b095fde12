import { createHash } from 'node:crypto';
import type { Setting, SettingDeclarations } from '#config/declare.js';
import { missingTables } from '#core/runtime/database/missing-tables.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Plugin } from '../plugin.js';
import { coreSettings } from '../settings.js';
import { isProduction, type AllSettings } from './startable.js';

/*
 * A node that lost its settings would do harm on the database of the others: without SVC_SMTP_URL it keeps mail in a
 * local mailbox and records it as sent, without SVC_PRICES_FILE it charges nothing. So each start compares the settings
 * that all nodes share (`share: 'deployment'`) with those of the last start. The server refuses a start that differs,
 * until the change is accepted; `svc doctor` lists what differs.
 */

/** A setting that differs from that of the last start. null: not set. */
interface Difference {
  readonly setting: Setting;
  readonly here: string | null;
  readonly recorded: string | null;
}

export interface Differences {
  readonly list: readonly Difference[];
  /**
   * The value of SVC_ACCEPT_CHANGES that accepts exactly these differences. After an accepted change, the same
   * difference has another code: a setting that stays in a file accepts nothing later.
   */
  readonly code: string;
}

interface Shared {
  readonly setting: Setting;
  readonly identity: string | null;
}

/** The settings that all nodes share, of svc itself and of all known products, with their values. */
function sharedSettings({ core, of }: AllSettings, plugins: readonly Plugin[]): Shared[] {
  const groups: [SettingDeclarations, Readonly<Record<string, unknown>>][] = [
    [coreSettings, core],
    ...plugins.flatMap(({ settings }): [SettingDeclarations, Readonly<Record<string, unknown>>][] =>
      settings ? [[settings, of(settings)]] : [],
    ),
  ];
  return groups.flatMap(([declarations, values]) =>
    Object.entries(declarations)
      .filter(([, { share }]) => share === 'deployment')
      .map(([name, setting]) => ({ setting, identity: identityOf(setting, values[name]) })),
  );
}

const identityOf = (setting: Setting, value: unknown): string | null =>
  setting.identity ? setting.identity(value) : textOf(value);

/** A setting's value as a variable has it. The order of a list does not matter. @returns null if it is empty */
export function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).sort().join(',');
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * Compares the settings with those of the last start. If that was not in production, only settings that are no longer
 * set differ. It only reads, also before the migrations. A setting that no start has recorded yet does not differ.
 */
export async function findDifferences(
  db: ReadSession,
  settings: AllSettings,
  plugins: readonly Plugin[],
): Promise<Differences> {
  const shared = sharedSettings(settings, plugins);
  const recorded = await readIdentities(db, shared);
  const address = recorded.get(coreSettings.baseUrl.variable) ?? undefined;
  const wasProduction = isProduction({ baseUrl: address });
  const list = shared.flatMap(({ setting, identity: here }): Difference[] => {
    const before = recorded.get(setting.variable);
    if (before === undefined || before === here) return [];
    // On a developer's machine settings change all the time: only a forgotten one is refused.
    return wasProduction || here === null ? [{ setting, here, recorded: before }] : [];
  });
  return { list, code: codeOf(list, await acceptedChanges(db)) };
}

function codeOf(list: readonly Difference[], accepted: number): string {
  const texts = list.map(({ setting, here, recorded }) => [setting.variable, here, recorded]);
  return createHash('sha256')
    .update(JSON.stringify([accepted, texts]))
    .digest('hex')
    .slice(0, 12);
}

async function acceptedChanges(db: ReadSession): Promise<number> {
  if ((await missingTables(db, ['svc_identity_change'])).length > 0) return 0;
  const [row] = await db.rows<{ accepted: number }>('SELECT accepted FROM svc_identity_change WHERE id = 1');
  return row?.accepted ?? 0;
}

async function readIdentities(db: ReadSession, shared: readonly Shared[]): Promise<Map<string, string | null>> {
  const missing = await missingTables(db, ['svc_setting', 'svc_identity']);
  const ofEarlier = missing.includes('svc_setting')
    ? []
    : await db.rows<{ variable: Buffer; value: string | null }>('SELECT variable, value FROM svc_setting');
  const rows = missing.includes('svc_identity')
    ? []
    : await db.rows<{ variable: Buffer; identity: string | null }>('SELECT variable, identity FROM svc_identity');
  return new Map([
    ...identitiesOfEarlier(new Map(ofEarlier.map(({ variable, value }) => [variable.toString(), value])), shared),
    ...rows.map(({ variable, identity }): [string, string | null] => [variable.toString(), identity]),
  ]);
}

/**
 * The identities of the settings that earlier versions recorded for commands, by variable. They recorded the address
 * also if SVC_BASE_URL was not set; it was a loopback address then.
 */
function identitiesOfEarlier(
  values: ReadonlyMap<string, string | null>,
  shared: readonly Shared[],
): [string, string | null][] {
  return shared.flatMap(({ setting }): [string, string | null][] => {
    const value = values.get(setting.variable);
    if (value === undefined || setting.recorded !== true) return [];
    if (setting.variable === coreSettings.baseUrl.variable && /^http:\/\/(127\.|localhost|\[::1\])/.test(value ?? ''))
      return [];
    try {
      return [[setting.variable, identityOf(setting, value === null ? setting.defaultValue : setting.read(value))]];
    } catch {
      // A value that this version does not take.
      return [];
    }
  });
}

/** Stores the settings of a start, whose differences were accepted. */
export async function recordIdentities(
  db: Session,
  settings: AllSettings,
  plugins: readonly Plugin[],
  { list }: Differences,
): Promise<void> {
  const shared = sharedSettings(settings, plugins);
  await db.run(
    `INSERT INTO svc_identity (variable, identity) VALUES ${shared.map(() => '(?, ?)').join(', ')}
     ON DUPLICATE KEY UPDATE identity = VALUES(identity)`,
    shared.flatMap(({ setting, identity }) => [setting.variable, identity]),
  );
  if (list.length > 0) await db.run('UPDATE svc_identity_change SET accepted = accepted + 1 WHERE id = 1');
}

/** A difference as a sentence: `SVC_SMTP_URL is not set here (…), and was mail.example.com at the last start.` */
export function differenceText({ setting, here, recorded }: Difference): string {
  const { variable, defaultText } = setting;
  const isNow = here === null ? (defaultText === 'not set' ? 'not set' : `not set (${defaultText})`) : here;
  return `${variable} is ${isNow} here, and was ${recorded ?? 'not set'} at the last start.`;
}
