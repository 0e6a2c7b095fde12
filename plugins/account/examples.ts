/** One account through all examples of this product. */
const at = '2026-11-20T09:30:00.000Z';

export const exampleAccount = {
  id: '01890a5d-ac96-774b-bcce-b302099a8100',
  name: 'Acme',
  country: 'DE',
  heardFrom: 'search' as const,
  heardFromDetail: null,
  createdAt: at,
  closedAt: null,
  closedReason: null,
};

export const exampleProject = {
  id: '01890a5d-ac96-774b-bcce-b302099a8101',
  name: 'Shop',
  slug: 'shop',
  locale: 'en',
  timeZone: 'UTC',
  createdAt: at,
};

export const exampleEnvironments = [
  { id: '01890a5d-ac96-774b-bcce-b302099a8000', projectId: exampleProject.id, kind: 'live' as const, createdAt: at },
  { id: '01890a5d-ac96-774b-bcce-b302099a8001', projectId: exampleProject.id, kind: 'test' as const, createdAt: at },
];

export const exampleMember = {
  id: '01890a5d-ac96-774b-bcce-b302099a8200',
  email: 'ada@example.com',
  role: 'developer' as const,
  status: 'invited' as const,
  invitedBy: 'owner@example.com',
  inviteExpiresAt: '2026-11-27T09:30:00.000Z',
  acceptedAt: null,
  createdAt: at,
};
