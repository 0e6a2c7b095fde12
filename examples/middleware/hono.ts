import { Hono } from 'hono';
import { receiveEvents, svcAuth, type SvcVariables } from 'svc-sdk/hono';

const { SVC_API_URL: baseUrl, SVC_ENVIRONMENT_ID: environmentId, SVC_WEBHOOK_SECRET: secret } = process.env;
const auth = svcAuth({ baseUrl, environmentId });
export const app = new Hono<{ Variables: SvcVariables }>();

app.post(
  '/webhooks/svc',
  receiveEvents({ secret }, (event) => {
    if (event.type === 'auth.user.created') console.log('New user:', event.data.user.email);
  }),
);

app.get('/api/me', auth.requireUser(), (context) => context.json({ id: context.get('user').sub }));

app.get('/api/team', auth.requireUser({ roles: ['owner', 'admin'] }), (context) =>
  context.json({ organization: context.get('user').org_id }),
);
