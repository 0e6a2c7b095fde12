import { coreSettings } from '#core/kernel/settings.js';
import { differenceText, findDifferences, recordIdentities, type Differences } from '#core/kernel/registry/identity.js';
import type { AllSettings } from '#core/kernel/registry/startable.js';
import type { Plugin } from '#core/kernel/plugin.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Database } from '#core/runtime/database/session.js';
import type { Log } from '#core/runtime/log.js';
import { StartError } from './start-error.js';

/** The settings that all nodes must share, of one start. */
export interface StartIdentity {
  /**
   * Compares them with those of the last start. Writes nothing.
   * @throws StartError if they differ and were not accepted
   */
  require(db: ReadSession): Promise<Differences>;
  /**
   * Compares them again and stores them, under the lock that starting nodes share.
   * @throws StartError like `require`
   */
  record(db: Database, log: Pick<Log, 'warn'>): Promise<void>;
}

export function startIdentity(settings: AllSettings, plugins: readonly Plugin[]): StartIdentity {
  const given = settings.core.acceptChanges;
  const requireSame: StartIdentity['require'] = async (db) => {
    const found = await findDifferences(db, settings, plugins);
    if (found.list.length > 0 && given !== found.code) throw new StartError(refusal(found, given));
    return found;
  };
  return {
    require: requireSame,
    async record(db, log) {
      const found = await requireSame(db);
      await db.transaction((transaction) => recordIdentities(transaction, settings, plugins, found));
      const { variable } = coreSettings.acceptChanges;
      if (found.list.length > 0)
        log.warn(
          { changes: found.list.map(differenceText) },
          `${variable} accepted the changed settings: give them to all nodes, and remove ${variable}`,
        );
      else if (given !== undefined)
        log.warn(`${variable} is not needed: the settings are those of the last start. Remove it.`);
    },
  };
}

function refusal(found: Differences, given: string | undefined): string {
  const { variable } = coreSettings.acceptChanges;
  return [
    'The settings of this start differ from those that all nodes of this deployment share:',
    ...found.list.map((each) => `  ${differenceText(each)}`),
    '  If this node lacks settings that the others have, give it the same ones. If this is a copy of the database, start it where it reaches nobody.',
    `  If you mean the change, start once with ${variable}=${found.code} (docs/operating.md, Changing settings).${
      given === undefined ? '' : ` The ${variable} that is set, ${given}, was for other changes: remove it.`
    }`,
  ].join('\n');
}
