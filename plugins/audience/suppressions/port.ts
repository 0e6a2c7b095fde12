import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Suppressions } from '../ports.js';
import { isPersonsWish } from '../consents/state.js';
import { lift, standingOf, suppress } from './write.js';

type SuppressionEvent = 'audience.suppression.added' | 'audience.suppression.lifted';

/** Provides the port `suppressions`. Its events go to the environment that is named, whichever one the transaction acts in. */
export function makeSuppressions(context: Context<SuppressionEvent>): Suppressions {
  const sceneIn = (environment: Environment): Context<SuppressionEvent> => ({
    ...context,
    emit: (name, news) => context.emit(name, news, environment),
  });
  return {
    async add(environment, suppression) {
      await suppress(sceneIn(environment), environment.id, suppression);
    },
    async liftByPerson(environment, channel, address) {
      const scene = sceneIn(environment);
      const standing = await standingOf(scene, environment.id, channel, address);
      for (const row of standing) if (isPersonsWish(row.reason)) await lift(scene, row);
    },
  };
}
