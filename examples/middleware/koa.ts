import Router from '@koa/router';
import Koa from 'koa';
import { receiveEvents, svcAuth } from 'svc-sdk/koa';

const { SVC_API_URL: baseUrl, SVC_ENVIRONMENT_ID: environmentId, SVC_WEBHOOK_SECRET: secret } = process.env;
const auth = svcAuth({ baseUrl, environmentId });
const router = new Router();

router.post(
  '/webhooks/svc',
  receiveEvents({ secret }, (event) => {
    if (event.type === 'auth.user.created') console.log('New user:', event.data.user.email);
  }),
);

router.get('/api/me', auth.requireUser(), (context) => {
  context.body = { id: context.state.user.sub };
});

router.get('/api/team', auth.requireUser({ roles: ['owner', 'admin'] }), (context) => {
  context.body = { organization: context.state.user.org_id };
});

export const app = new Koa().use(router.routes());
