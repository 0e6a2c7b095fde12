import Fastify from 'fastify';
import { receiveEvents, svcAuth } from 'svc-sdk/fastify';

const { SVC_API_URL: baseUrl, SVC_ENVIRONMENT_ID: environmentId, SVC_WEBHOOK_SECRET: secret } = process.env;
const auth = svcAuth({ baseUrl, environmentId });
export const app = Fastify();

app.register(
  receiveEvents('/webhooks/svc', { secret }, (event) => {
    if (event.type === 'auth.user.created') console.log('New user:', event.data.user.email);
  }),
);

app.get('/api/me', { preHandler: auth.requireUser() }, (request) => ({ id: auth.userOf(request).sub }));

app.get('/api/team', { preHandler: auth.requireUser({ roles: ['owner', 'admin'] }) }, (request) => ({
  organization: auth.userOf(request).org_id,
}));
