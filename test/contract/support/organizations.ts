import { invited, join, organizationOf, person, type Person } from '#test/auth/people.js';
import type { Place } from './place.js';

type Ids = Record<string, string>;

const personAt = ({ platform, account, side }: Place, name: string): Promise<Person> =>
  person(platform, account, name, { side });

/** An organization of Ada's, whose things an operation of hers names. */
async function adasOrganization(place: Place): Promise<{ ada: Person; organizationId: string }> {
  const ada = await personAt(place, 'ada');
  return { ada, organizationId: (await organizationOf(ada)).id };
}

/** A member of it, or a second owner. */
async function withMember(place: Place, role: 'owner' | 'member'): Promise<Ids> {
  const { ada, organizationId } = await adasOrganization(place);
  const bob = await personAt(place, 'bob');
  await join(place.platform, organizationId, bob, role);
  return { accessToken: ada.accessToken, organizationId, userId: bob.userId };
}

async function withInvite(place: Place): Promise<Ids> {
  const { ada, organizationId } = await adasOrganization(place);
  const { inviteId } = await invited(place.platform, ada, { organizationId, email: 'charles@example.com' });
  return { accessToken: ada.accessToken, organizationId, inviteId };
}

/** Ids that belong together, by operation of organizations. */
export const organizationThings: Readonly<Record<string, (place: Place) => Promise<Ids>>> = {
  'auth.org.leave': async (place) => {
    const { accessToken = '', organizationId = '' } = await withMember(place, 'owner');
    return { accessToken, organizationId };
  },
  'auth.org.member.update': (place) => withMember(place, 'member'),
  'auth.org.member.remove': (place) => withMember(place, 'member'),
  'auth.org.invite.revoke': withInvite,
};

/** An organization of Ada's. @returns its id */
export const organizationIdAt = async (place: Place): Promise<string> => (await adasOrganization(place)).organizationId;

/** An invitation of Ada to somebody else's organization. @returns its token */
export async function invitationOfAda(place: Place): Promise<string> {
  const bob = await personAt(place, 'bob');
  const { id: organizationId } = await organizationOf(bob);
  return (await invited(place.platform, bob, { organizationId, email: 'ada@example.com' })).token;
}
