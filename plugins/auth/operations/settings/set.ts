import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, ifUnchangedSince, map, object, optional, text } from '#core/kernel/schema/schema.js';
import { settingChanges } from '#core/kernel/environment/settings.js';
import { changeApps } from '../../settings/change-apps.js';
import { checkAppOrganizations, checkApps } from '../../settings/check-apps.js';
import { checkSettings } from '../../settings/check.js';
import { requireUsersFit } from '../../settings/claim-size.js';
import { maxClaims } from '../../settings/claims.js';
import { requireDashboardSettings } from '../../settings/dashboard.js';
import { defaultSettings, AuthSettings, settingsPatch, type SettingsPatch } from '../../settings/resources.js';
import { loadSettings } from '../../settings/load.js';
import { mergeClaims, mergeSettings } from '../../settings/merge.js';
import { lockSettings, settingsTime, storeSettings } from '../../settings/store.js';
import { requireUsableMethod } from '../../settings/usable-methods.js';
import { oauthApps } from '../../tables/oauth-app.js';

/** Whether a claim is added or gets another value. */
const addsClaims = ({ claims = {} }: Pick<SettingsPatch, 'claims'>): boolean =>
  Object.values(claims).some((key) => key !== null);

export default defineOperation({
  name: 'auth.settings.set',
  summary: 'Changes sign-in settings. Objects merge key by key, and changes take effect on the next request.',
  description:
    'Omitted settings keep their values. Lists are replaced as a whole. With mfa.required, a session without a second factor may only call auth.me.get, ' +
    'enrol a factor, refresh and sign out; everything else is refused with mfa_required.',
  keywords:
    'openid connect client sso provider configure token lifetime rate limits redirect claims signup methods bot protection',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ ...settingsPatch, ifUnchangedSince }, { minProperties: 1 }),
  output: object({
    settings: AuthSettings,
    updatedAt: dateTime('When the settings were changed last.'),
    appSecrets: optional(
      map(
        text(),
        'The new secrets of apps, by `client_id`. They are shown only in this reply; absent if none was made.',
      ),
    ),
  }),
  showsSecret: 'stored encrypted',
  errors: ['no_usable_signin_method'],
  events: ['auth.settings.changed'],
  example: {
    input: { accessTokenSeconds: 600, redirectUrls: ['https://app.example.com'] },
    output: {
      settings: { ...defaultSettings, accessTokenSeconds: 600, redirectUrls: ['https://app.example.com'] },
      updatedAt: '2026-11-20T10:12:00.000Z',
    },
  },

  // Reads users with a lot of metadata.
  mayTakeLong: addsClaims,

  async prepare({ claims }, { db, caller }) {
    if (claims === undefined || !addsClaims({ claims })) return;
    const { id } = caller.environment;
    const before = await loadSettings(db, id);
    const after = mergeClaims(before.claims, claims);
    await requireUsersFit(db, id, after, (claim) => before.claims[claim] !== after[claim]);
  },

  async handle(input, context) {
    const { db, caller, clock, emit, audit, fail } = context;
    const { environment } = caller;
    const apps = await db.find(oauthApps, { environmentId: environment.id });
    const patch = checkSettings(
      input,
      apps.map(({ provider }) => provider),
    );
    const before = await lockSettings(context, environment);
    const changedAt = { updatedAt: (await settingsTime(db, environment.id)) ?? clock.now() };
    const subject = { type: 'environment', id: environment.id };
    await requireUnchanged(context, input.ifUnchangedSince, changedAt, { ...subject, operations: 'auth.settings.' });
    checkApps(before.apps, patch.apps);
    await checkAppOrganizations(db, environment.id, patch.apps);
    const settings = mergeSettings(before, patch);
    const claims = Object.keys(settings.claims).length;
    if (claims > maxClaims)
      throw fail.invalid_input({
        field: 'claims',
        problem: `would contain ${claims} claims, but at most ${maxClaims} are allowed`,
      });
    const { secrets: appSecrets, changes: secretChanges } = await changeApps(
      context,
      environment,
      { before: before.apps, after: settings.apps },
      patch.apps,
    );
    const changes = [...settingChanges(before, settings), ...secretChanges];
    audit({
      subject,
      summary: 'Changed the sign-in settings.',
      changes,
      unchanged: 'the sign-in settings already had these values.',
    });
    if (changes.length === 0) return { settings, updatedAt: changedAt.updatedAt.toISOString() };
    if (patch.methods) await requireUsableMethod(context, environment, settings);
    await requireDashboardSettings(context, environment, settings);
    const updatedAt = updateTime(changedAt, clock.now());
    await storeSettings(db, environment.id, settings, updatedAt);
    emit('auth.settings.changed', { subjectId: environment.id, data: { settings } });
    return {
      settings,
      updatedAt: updatedAt.toISOString(),
      ...(Object.keys(appSecrets).length === 0 ? {} : { appSecrets }),
    };
  },
});
