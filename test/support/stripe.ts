import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createGate, type Gate } from './gate.js';
import { sendJson, startHttpFake, type FakeRequest } from './http-fake.js';
import { stripeAftermath, type StripeAftermath } from './stripe-aftermath.js';
import { keyedAnswers, StripeProblem } from './stripe-answers.js';
import {
  cards,
  largestAmounts,
  type Behaviour,
  type Fault,
  type Method,
  type Refusal,
  type Session,
} from './stripe-facts.js';

/*
 * A Stripe with customers, Checkout in setup mode, payment methods and PaymentIntents, for its own client over HTTP. It
 * stores idempotency keys as Stripe does: the first answer for a key, including refusals and failures, is its answer
 * from then on.
 */

export interface Intent {
  id: string;
  amount: number;
  currency: string;
  customer: string;
  method: string;
  status:
    'requires_confirmation' | 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  description: string;
  attempt: string;
  returnUrl: string | null;
  problem: { code: string; decline_code?: string; message: string } | null;
  /** How often it was charged: never more than once. */
  charges: number;
}

export interface StripeFake {
  readonly url: string;
  /** For SVC_PAYMENT_URL. */
  readonly paymentUrl: string;
  /** Every request: `POST /v1/payment_intents`. */
  readonly requests: string[];
  readonly customers: ReadonlyMap<string, { name: string; email: string | null }>;
  readonly intents: ReadonlyMap<string, Intent>;
  /** The amounts that were charged, in the currency's smallest unit. */
  charges(): { amount: number; currency: string; customer: string }[];
  /** Enters a card on the page of a Checkout session, as a browser would. @returns where the page leads */
  enterCard(pageUrl: string, card: string): Promise<string>;
  /** How the bank answers charges of all methods from now on. */
  behave(behaviour: Behaviour): void;
  /** Decides the payments that take days. */
  decide(outcome: 'succeeded' | 'failed'): void;
  expireSessions(): void;
  /** What happens to payments after they succeeded. */
  readonly aftermath: StripeAftermath;
  /** Makes Stripe's clock follow another one. */
  follow(clock: { now(): Date }): void;
  fail(fault: Fault): void;
  /** The smallest amount that it charges, in the currency's smallest unit: that of its settlement currency. */
  takeAtLeast(amount: number): void;
  /** Refuses to create payments from now on; null to create them again. */
  refuseCreation(problem: Refusal | null): void;
  /** Holds back the answer of the next request of a path, which is carried out. @returns its gate, which stays open */
  hold(path: RegExp): Gate;
  close(): Promise<void>;
}

const id = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`;

const refuse = (message: string, code?: string, param?: string, status = 400): never => {
  throw new StripeProblem(status, { type: 'invalid_request_error', message, code, param });
};

export async function startStripe(key = 'sk_test_51FakeKey'): Promise<StripeFake> {
  const customers = new Map<string, { name: string; email: string | null }>();
  const methods = new Map<string, Method>();
  const sessions = new Map<string, Session>();
  const intents = new Map<string, Intent>();
  const requests: string[] = [];
  let clock: { now(): Date } = { now: () => new Date() };
  const aftermath = stripeAftermath(() => clock.now());
  let smallest = 50;
  let refusal: Refusal | null = null;
  let faults: (Fault & { left: number })[] = [];
  let holds: { path: RegExp; gate: Gate }[] = [];

  const need = <T>(map: ReadonlyMap<string, T>, key: string | null | undefined, what: string, param: string): T =>
    map.get(key ?? '') ?? refuse(`No such ${what}: '${key ?? ''}'`, 'resource_missing', param, 404);

  /** Stripe's times are whole seconds. */
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const shownMethod = ({ id: methodId, last4, customer, created }: Method) => ({
    id: methodId,
    object: 'payment_method',
    created,
    type: 'card',
    customer,
    card: { brand: 'visa', last4, exp_month: 4, exp_year: 2031 },
  });
  const shownSession = (session: Session) => {
    const method = session.method === null ? null : methods.get(session.method);
    const status = session.refused ? 'requires_payment_method' : method ? 'succeeded' : 'requires_payment_method';
    return {
      id: session.id,
      object: 'checkout.session',
      created: session.created,
      mode: 'setup',
      status: session.status,
      url: session.status === 'open' ? `${fake.url}/checkout/${session.id}` : null,
      setup_intent:
        session.status === 'complete'
          ? {
              id: `seti_${session.id}`,
              object: 'setup_intent',
              status,
              customer: session.customer,
              payment_method: method ? shownMethod(method) : null,
              last_setup_error: session.refused ? { message: 'Your card was declined.' } : null,
            }
          : `seti_${session.id}`,
    };
  };
  const shownIntent = (intent: Intent) => ({
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    payment_method: intent.status === 'requires_payment_method' ? null : intent.method,
    status: intent.status,
    description: intent.description,
    metadata: { svc_attempt: intent.attempt },
    latest_charge: intent.charges > 0 ? aftermath.chargeOf(intent.id) : null,
    last_payment_error: intent.problem && { type: 'card_error', ...intent.problem },
    next_action:
      intent.status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { url: `${fake.url}/bank/${intent.id}`, return_url: intent.returnUrl },
          }
        : null,
  });
  const charge = (intent: Intent): void => {
    if (intent.charges > 0) throw new Error(`${intent.id} would be charged twice.`);
    intent.charges += 1;
    intent.status = 'succeeded';
    intent.problem = null;
  };
  const cardError = (intent: Intent, problem: NonNullable<Intent['problem']>): never => {
    intent.status = 'requires_payment_method';
    intent.problem = problem;
    throw new StripeProblem(402, { type: 'card_error', ...problem, payment_intent: shownIntent(intent) });
  };

  function confirm(intent: Intent, form: URLSearchParams): object {
    if (!['requires_confirmation', 'requires_payment_method', 'requires_action'].includes(intent.status))
      refuse(
        `This PaymentIntent's payment_method could not be updated because it has a status of ${intent.status}.`,
        'payment_intent_unexpected_state',
      );
    const returnUrl = form.get('return_url');
    if (returnUrl === null)
      refuse('This PaymentIntent is configured to accept payment methods that lead elsewhere: provide a return_url.');
    const method = need(methods, form.get('payment_method') ?? intent.method, 'PaymentMethod', 'payment_method');
    if (method.customer !== intent.customer)
      refuse('The PaymentMethod does not belong to the Customer of this PaymentIntent.');
    intent.method = method.id;
    intent.returnUrl = returnUrl;
    const offSession = form.get('off_session') === 'true';
    if (method.behaviour === 'declines')
      cardError(intent, { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' });
    if (method.behaviour === 'no_funds')
      cardError(intent, {
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      });
    if (method.behaviour === 'unknown_reason')
      cardError(intent, { code: 'card_delayed', message: 'Your card takes a rest.' });
    if (method.behaviour === 'asks_owner' && offSession)
      cardError(intent, {
        code: 'authentication_required',
        decline_code: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      });
    intent.problem = null;
    if (method.behaviour === 'asks_owner') intent.status = 'requires_action';
    else if (method.behaviour === 'takes_days') intent.status = 'processing';
    else charge(intent);
    return shownIntent(intent);
  }

  function answer({ method, path, form, query }: FakeRequest): object {
    const [, , resource = '', name = '', action = ''] = path.split('/');
    const list = method === 'GET' ? aftermath.answer(resource, { query }) : undefined;
    if (list) return list;
    if (resource === 'customers' && method === 'POST') {
      const created = id('cus');
      customers.set(created, { name: form.get('name') ?? '', email: form.get('email') });
      return { id: created, object: 'customer' };
    }
    if (resource === 'checkout') {
      if (method === 'GET') return shownSession(need(sessions, action, 'checkout.session', 'session'));
      const customer = form.get('customer') ?? '';
      need(customers, customer, 'customer', 'customer');
      if (form.get('mode') !== 'setup' || form.get('currency') === null)
        refuse('Sessions in setup mode need a currency.');
      const returnUrl = form.get('success_url') ?? refuse('Missing required param: success_url.');
      const session: Session = {
        id: id('cs_test'),
        customer,
        status: 'open',
        returnUrl,
        created: seconds(),
        method: null,
        refused: false,
      };
      sessions.set(session.id, session);
      return shownSession(session);
    }
    if (resource === 'payment_intents') {
      if (name === '') return shownIntent(createIntent(form));
      const intent = need(intents, name, 'payment_intent', 'intent');
      if (action === 'confirm') return confirm(intent, form);
      if (action === 'cancel') {
        if (['succeeded', 'processing', 'canceled'].includes(intent.status))
          refuse(
            `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
            'payment_intent_unexpected_state',
          );
        intent.status = 'canceled';
      }
      return shownIntent(intent);
    }
    return refuse(`Unrecognized request URL (${method}: ${path}).`, undefined, undefined, 404);
  }

  function createIntent(form: URLSearchParams): Intent {
    const customer = form.get('customer') ?? '';
    need(customers, customer, 'customer', 'customer');
    const method = need(methods, form.get('payment_method'), 'PaymentMethod', 'payment_method');
    const amount = Number(form.get('amount'));
    if (refusal !== null) refuse(refusal.message, refusal.code, refusal.param);
    if (!Number.isSafeInteger(amount) || amount < smallest)
      refuse('Amount must be at least $0.50 usd', 'amount_too_small', 'amount');
    if (amount > (largestAmounts[form.get('currency') ?? ''] ?? 99_999_999))
      refuse('Amount must be no more than $999,999.99', 'amount_too_large', 'amount');
    if (form.get('confirm') === 'true') refuse('svc confirms in a second request.');
    const intent: Intent = {
      id: id('pi'),
      amount,
      currency: form.get('currency') ?? '',
      customer,
      method: method.id,
      status: 'requires_confirmation',
      description: form.get('description') ?? '',
      attempt: form.get('metadata[svc_attempt]') ?? '',
      returnUrl: null,
      problem: null,
      charges: 0,
    };
    intents.set(intent.id, intent);
    return intent;
  }

  function takeFault(path: string): Fault | undefined {
    const fault = faults.find((each) => each.path.test(path));
    if (fault) fault.left -= 1;
    faults = faults.filter(({ left }) => left > 0);
    return fault;
  }

  const page = (response: ServerResponse, body: string): void =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>Stripe</title>${body}`);

  /** The pages for people: entering a card, and confirming a payment at the bank. */
  function showPage({ method, path, form }: FakeRequest, response: ServerResponse): void {
    const [, kind, name = ''] = path.split('/');
    const leave = (url: string): void => void response.writeHead(303, { location: url }).end();
    if (kind === 'checkout') {
      const session = need(sessions, name, 'checkout.session', 'session');
      if (method === 'GET') {
        page(response, '<form method="post"><label>Card <input name="card"></label><button>Save card</button></form>');
        return;
      }
      const card = form.get('card') ?? '';
      const behaviour = cards[card];
      session.status = 'complete';
      session.refused = behaviour === undefined;
      if (behaviour) {
        session.method = id('pm');
        methods.set(session.method, {
          id: session.method,
          last4: card.slice(-4),
          behaviour,
          customer: session.customer,
          created: seconds(),
        });
      }
      leave(session.returnUrl);
      return;
    }
    const intent = need(intents, name, 'payment_intent', 'intent');
    if (method === 'GET') {
      page(
        response,
        '<form method="post"><button name="answer" value="yes">Approve</button><button name="answer" value="no">Reject</button></form>',
      );
      return;
    }
    if (intent.status === 'requires_action') {
      if (form.get('answer') === 'yes') charge(intent);
      else {
        intent.status = 'requires_payment_method';
        intent.problem = {
          code: 'payment_intent_authentication_failure',
          message: 'The owner did not confirm the payment.',
        };
      }
    }
    leave(intent.returnUrl ?? '/');
  }

  const answers = keyedAnswers(answer);
  const fake = await startHttpFake(async (request, response) => {
    if (!request.path.startsWith('/v1/')) {
      showPage(request, response);
      return;
    }
    requests.push(`${request.method} ${request.path}`);
    if (request.headers.authorization !== `Bearer ${key}`) {
      sendJson(response, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } }, 401);
      return;
    }
    const fault = takeFault(request.path);
    if (fault?.breaks === 'before') return void response.destroy();
    const { status, body, replayed } = answers.of(request, fault?.status);
    if (fault?.breaks === 'after') return void response.destroy();
    const held = holds.find((each) => each.path.test(request.path));
    holds = holds.filter((each) => each !== held);
    await held?.gate.pass();
    if (replayed) response.setHeader('idempotent-replayed', 'true');
    // If possible, its client repeats a failed request itself.
    response.setHeader('stripe-should-retry', 'false');
    response.setHeader('request-id', id('req'));
    sendJson(response, body, status);
  });

  return {
    url: fake.url,
    paymentUrl: `stripe://${key}@${new URL(fake.url).host}`,
    requests,
    customers,
    intents,
    charges: () =>
      [...intents.values()].flatMap(({ charges, amount, currency, customer }) =>
        Array.from({ length: charges }, () => ({ amount, currency, customer })),
      ),
    async enterCard(pageUrl, card) {
      const left = await fetch(pageUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ card }) });
      return left.headers.get('location') ?? '';
    },
    behave(behaviour) {
      for (const method of methods.values()) method.behaviour = behaviour;
    },
    decide(outcome) {
      for (const intent of intents.values())
        if (intent.status === 'processing') {
          if (outcome === 'succeeded') charge(intent);
          else {
            intent.status = 'requires_payment_method';
            intent.problem = { code: 'payment_intent_payment_attempt_failed', message: 'The payment failed.' };
          }
        }
    },
    expireSessions() {
      for (const session of sessions.values()) if (session.status === 'open') session.status = 'expired';
    },
    aftermath,
    follow: (given) => void (clock = given),
    hold(path) {
      const gate = createGate();
      gate.close();
      holds.push({ path, gate });
      return gate;
    },
    takeAtLeast: (amount) => void (smallest = amount),
    refuseCreation: (problem) => void (refusal = problem),
    fail(fault) {
      faults.push({ ...fault, left: fault.times ?? 1 });
    },
    close: () => fake.close(),
  };
}
