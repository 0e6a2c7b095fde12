import { coreSettings } from '#core/kernel/settings.js';
import { differenceText, findDifferences } from '#core/kernel/registry/identity.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { ok, problem, warning, type Finding } from './finding.js';
import type { ServerSettings } from './settings.js';

/** Compares the settings that all nodes share with those of the server's last start. */
export async function checkIdentity(
  database: ReadSession,
  { settings, plugins, isAnySet }: ServerSettings,
): Promise<Finding[]> {
  const { list, code } = await findDifferences(database, settings, plugins);
  if (list.length === 0) return [ok('identity', 'The settings that all nodes share are those of the last start.')];
  const { variable } = coreSettings.acceptChanges;
  const fix = `Run svc doctor with the settings of the server. A start with these is refused, unless ${variable} is ${code} (docs/operating.md, Changing settings).`;
  // Without any setting, this shell is hardly the server's.
  const found = isAnySet ? problem : warning;
  return list.map((each) => found('identity', differenceText(each), fix));
}
