import { listAt, textAt } from '#core/runtime/json.js';
import { isTemporaryStatus } from '../../api-call.js';
import type { TaskOutcome } from '../../submission-tasks.js';
import type { Submission } from '../../provider.js';
import { errorOf, problemOf, type Fields, type TwilioClient } from '../client.js';
import { profileProblem } from './problems.js';

/** The calls that the tasks of a submission consist of. */
export interface RegistrationCalls {
  /**
   * Creates something, or changes what an earlier submission created.
   * @param ref the name under which its id is kept
   */
  save(ref: string, url: string, fields: Fields, submission: Submission): Promise<TaskOutcome>;
  /**
   * Adds an object to a profile, unless it is already part of it.
   * @param profile the profile's address
   */
  assign(profile: string, object: string): Promise<TaskOutcome>;
  /** Submits a profile for review. */
  submit(profile: string): Promise<TaskOutcome>;
}

export function registrationCalls(client: TwilioClient): RegistrationCalls {
  return {
    async save(ref, url, fields, { refs }) {
      const known = refs[ref];
      const answer = await client.call('POST', known === undefined ? url : changeUrl(url, known), fields);
      const sid = answer.ok && answer.status < 300 ? textAt(answer.json, 'sid') : null;
      if (sid !== null) return { kind: 'made', refs: { [ref]: sid } };
      // If Twilio refuses something because of its form, the caller can correct it.
      if (answer.ok && answer.status === 400)
        return { kind: 'refused', stage: 'action_needed', problems: [profileProblem(errorOf(400, answer.json))] };
      return notDone(answer);
    },
    async assign(profile, object) {
      const url = `${profile}/EntityAssignments`;
      const known = await client.call('GET', url, { ObjectSid: object });
      if (!known.ok || known.status >= 300) return notDone(known);
      if (listAt(known.json, 'results').length > 0) return nothingNew;
      const answer = await client.call('POST', url, { ObjectSid: object });
      return answer.ok && answer.status < 300 ? nothingNew : notDone(answer);
    },
    async submit(profile) {
      const answer = await client.call('POST', profile, { Status: 'pending-review' });
      if (answer.ok && answer.status < 300) return nothingNew;
      if (answer.ok && !isTemporaryStatus(answer.status))
        return {
          kind: 'refused',
          stage: 'action_needed',
          problems: [profileProblem(errorOf(answer.status, answer.json))],
        };
      return notDone(answer);
    },
  };
}

export const nothingNew: TaskOutcome = { kind: 'made', refs: {} };

export const notDone = (answer: Parameters<typeof problemOf>[0]): Extract<TaskOutcome, { kind: 'not_done' }> => {
  const { problem, isTemporary } = problemOf(answer);
  return { kind: 'not_done', problem, isTemporary };
};

/** The address of one object in the collection at `url`. */
const changeUrl = (url: string, sid: string): string =>
  url.endsWith('.json') ? `${url.slice(0, -'.json'.length)}/${sid}.json` : `${url}/${sid}`;
