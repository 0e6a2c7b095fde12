import { errorOf, type HandedOver, type SmtpServer } from './connection.js';
import type { OutgoingMail, Sent } from './outgoing.js';
import { pooledConnections, type PooledConnection } from './pooled-connections.js';

/** A message exceeded its time, including the wait for a connection. */
export class DeliveryTimedOut extends Error {
  override readonly name = 'DeliveryTimedOut';
}

/** Sends messages to one server, over connections that are opened when they are needed (pooled-connections.ts). */
interface SmtpPool {
  /**
   * Submits a message, on the next free connection. @throws the server's answer, as nodemailer's error;
   * DeliveryTimedOut
   */
  send(mail: OutgoingMail): Promise<Sent>;
  /** Accepts no more messages, fails waiting ones, and closes connections as they become free. */
  close(): void;
  /** Aborts the delivery attempts that are still running. */
  abort(): void;
}

/** A message to be sent, until it is answered. */
interface Job {
  readonly mail: OutgoingMail;
  readonly resolve: (info: Sent) => void;
  readonly reject: (error: Error) => void;
  /** It was given to a connection that the server had already closed, and is sent again over a new one. */
  isRepeat: boolean;
  /** Its sender has an answer. */
  isSettled: boolean;
  /** Its connection; undefined while it waits. */
  carriedBy: PooledConnection<Job> | undefined;
}

const closedError = (): Error => new Error('The connections to the mail server are closed.');

/** @param deliverMs how long one message may take, including the wait for a connection */
export function smtpPool(server: SmtpServer, deliverMs: number): SmtpPool {
  const connections = pooledConnections<Job>(server);
  /** The next one first. */
  const waiting: Job[] = [];
  let isClosed = false;

  /**
   * Opens a connection for its first message.
   * @returns false if that failed: the message has failed and the connection is dropped
   */
  const open = async (pooled: PooledConnection<Job>, job: Job): Promise<boolean> => {
    try {
      await pooled.connection.open();
      return (pooled.isOpen = true);
    } catch (error) {
      job.reject(errorOf(error));
      connections.drop(pooled, 'close');
      return false;
    }
  };

  const carry = async (pooled: PooledConnection<Job>, job: Job): Promise<void> => {
    pooled.job = job;
    job.carriedBy = pooled;
    if (!pooled.isOpen && !(await open(pooled, job))) return;
    // It has timed out in the meantime, which has dropped the connection.
    if (job.isSettled) return;
    const result = await pooled.connection.send(job.mail);
    pooled.messages += 1;
    if ('sent' in result) job.resolve(result.sent);
    else if (!isClosed && isRepeatable(pooled, job, result)) {
      job.isRepeat = true;
      job.carriedBy = undefined;
      waiting.unshift(job);
    } else job.reject(result.error);
    if ('sent' in result || result.isUsable) connections.release(pooled);
    else connections.drop(pooled, 'close');
  };

  /** Gives waiting messages to free connections. A repeat takes a new one. */
  const dispatch = (): void => {
    for (let [job] = waiting; job; [job] = waiting) {
      const pooled = job.isRepeat ? connections.takeNew() : connections.take();
      if (!pooled) return;
      waiting.shift();
      void carry(pooled, job).finally(dispatch);
    }
  };

  const timeOut = (job: Job): void => {
    const index = waiting.indexOf(job);
    if (index >= 0) waiting.splice(index, 1);
    job.reject(new DeliveryTimedOut());
    if (job.carriedBy?.job === job) connections.drop(job.carriedBy, 'close');
    dispatch();
  };

  return {
    send: (mail) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closedError());
          return;
        }
        const settled = (): void => {
          job.isSettled = true;
          clearTimeout(timer);
        };
        const job: Job = {
          mail,
          resolve(info) {
            settled();
            resolve(info);
          },
          reject(error) {
            settled();
            reject(error);
          },
          isRepeat: false,
          isSettled: false,
          carriedBy: undefined,
        };
        const timer = setTimeout(() => timeOut(job), deliverMs);
        waiting.push(job);
        dispatch();
      }),
    close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(closedError());
      connections.closeIdle();
    },
    abort() {
      for (const pooled of connections.all()) {
        pooled.job?.reject(closedError());
        connections.drop(pooled, 'close');
      }
    },
  };
}

/**
 * Whether a failed message is sent once more. A server may close an idle connection, which is only noticed when the
 * next message is given to it. In that case nothing of the message has been sent, and the server has answered nothing
 * to it.
 */
const isRepeatable = (
  { messages }: PooledConnection<Job>,
  { isRepeat, isSettled }: Job,
  { isUnread, isUsable, error }: Extract<HandedOver, { error: Error }>,
): boolean => messages > 1 && isUnread && !isUsable && !isRepeat && !isSettled && !isAnswer(error);

/** Whether an error is the server's answer. */
const isAnswer = (error: Error): boolean => 'responseCode' in error;
