import type { PortContext } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Suppressions } from '../ports.js';
import { isPersonsWish } from '../consents/state.js';
import { audienceContext, type AudienceContext } from '../scene.js';
import { lift, standingOf, suppress } from './write.js';

/** Provides the port `suppressions`. Its events go to the environment that is named, whichever one the transaction acts in. */
export function makeSuppressions(context: PortContext): Suppressions {
  const sceneIn = (
    environment: Environment,
  ): AudienceContext<'audience.suppression.added' | 'audience.suppression.lifted'> => ({
    ...audienceContext(context),
    emit: (name, news) => context.emitAny(name, news, environment),
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
