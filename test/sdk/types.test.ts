import { expect } from 'chai';
import {
  isSvcError,
  Svc,
  type CodeOf,
  type EmailMessage,
  type Event,
  type EventOf,
  type InputOf,
  type ItemOf,
  type Member,
  type ResultOf,
} from '#core/surfaces/sdk/index.js';
import type * as server from '#test/support/api.js';

/*
 * Compile-time expectations of the SDK's types: `npm run typecheck` is the test and fails if one does not hold. The
 * calls are in functions that are never run.
 */

/** Compiles only for `true`. */
const holds = <T extends true>(..._: T[]): void => undefined;
type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Whether the field can be read: a misspelt one is a compile error. */
type Has<T, Field extends string> = Field extends keyof T ? true : false;
type Takes<A, B> = [B] extends [A] ? true : false;

/** With undefined for fields that may be absent: the SDK leaves it out of the body, which is JSON. */
type Loose<T> = T extends readonly (infer Each)[]
  ? Loose<Each>[]
  : T extends object
    ? { [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? Loose<T[K]> | undefined : Loose<T[K]> }
    : T;

/** The SDK's types match those of the handlers: it accepts every valid input, and names every field of a reply. */
type Agrees<N extends server.OperationName & keyof typeof samples> = [
  Takes<Loose<server.InputOf<N>>, InputOf<N>>,
  Takes<InputOf<N>, server.InputOf<N>>,
  Takes<server.ReplyOf<N>, ResultOf<N>>,
  Takes<ResultOf<N>, server.ReplyOf<N>>,
];
const samples = { 'account.get': 1, 'account.member.list': 1, 'email.send': 1, 'developers.key.create': 1 } as const;

const svc = new Svc({ baseUrl: 'http://127.0.0.1:9' });

describe('The SDK’s types', () => {
  it('match the server’s schemas', () => {
    holds<Agrees<'account.get'>[number]>();
    holds<Agrees<'account.member.list'>[number]>();
    holds<Agrees<'email.send'>[number]>();
    holds<Agrees<'developers.key.create'>[number]>();
    expect(Object.keys(samples)).to.have.length(4);
  });

  it('are strict for inputs', () => {
    const calls = (): unknown[] => [
      svc.account.get(),
      svc.account.member.invite({ email: 'ada@example.com', role: 'viewer' }),
      // @ts-expect-error -- no such role
      svc.account.member.invite({ email: 'ada@example.com', role: 'king' }),
      // @ts-expect-error -- email is missing
      svc.account.member.invite({ role: 'viewer' }),
      // @ts-expect-error -- no such field
      svc.account.member.invite({ email: 'ada@example.com', colour: 'red' }),
      // @ts-expect-error -- the input is missing
      svc.account.member.invite(),
      // @ts-expect-error -- the operation has no input fields
      svc.account.get({ colour: 'red' }),
      // @ts-expect-error -- no such operation
      svc.account.member.promote,
      // @ts-expect-error -- a known name keeps its types in call()
      svc.call('account.member.invite', { role: 'viewer' }),
      svc.call('email.postcard.send', { anything: 1 }),
      // @ts-expect-error -- not a list
      svc.account.get.all,
    ];
    expect(calls).to.be.a('function');
  });

  it('name every field of replies: a typo is an error', () => {
    const use = async (): Promise<unknown[]> => {
      const { member } = await svc.account.member.invite({ email: 'ada@example.com' });
      const role: 'owner' | 'admin' | 'developer' | 'viewer' = member.role;
      // @ts-expect-error -- a field has its type
      const count: number = member.email;
      const messages: EmailMessage[] = [];
      for await (const message of svc.email.message.list.all({ limit: 10 })) messages.push(message);
      const mock: Member = { ...member };
      const unknownOperation = await svc.call('email.postcard.send', { to: 'ada' });
      const field: unknown = unknownOperation['anything'];
      return [role, count, messages, mock, field];
    };
    holds<Is<Has<Member, 'email'>, true>>();
    holds<Is<Has<Member, 'emial'>, false>>();
    holds<Is<Has<ResultOf<'email.send'>, 'mesageId'>, false>>();
    holds<Is<ItemOf<'account.member.list'>, Member>>();
    holds<Is<ItemOf<'account.get'>, never>>();
    expect(use).to.be.a('function');
  });

  it('have a union of events: the type of an event tells its data', () => {
    const use = (event: Event): string => {
      switch (event.type) {
        case 'account.updated':
          return event.data.account.name;
        case 'email.failed':
          return event.data.message.messageId;
        default:
          return event.id;
      }
    };
    holds<Is<Has<EventOf<'email.failed'>['data'], 'account'>, false>>();
    holds<Is<'email.bunced' extends Event['type'] ? true : false, false>>();
    holds<Is<EventOf<'account.member.invited'>['data']['member'], Member>>();
    holds<Is<ItemOf<'developers.event.list'>, Event>>();
    expect(use).to.be.a('function');
  });

  it('name the codes of each operation', () => {
    const use = (error: unknown): string => {
      if (!isSvcError(error, 'email.send')) return 'other';
      holds<Is<typeof error.code, CodeOf<'email.send'>>>();
      switch (error.code) {
        case 'sender_not_verified':
        case 'rate_limited':
        case 'timed_out':
          return error.fix;
        // @ts-expect-error -- email.send never returns it
        case 'last_owner':
          return 'never';
        default:
          return error.code;
      }
    };
    expect(use(new Error('other'))).to.equal('other');
  });
});
