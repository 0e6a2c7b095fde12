import { errorOf, type MailConnection, type SmtpServer } from './connection.js';
import type { OutgoingMail, Sent } from './outgoing.js';

/** A message took longer than its time, with the wait for a connection. */
export class DeliveryTimedOut extends Error {
  override readonly name = 'DeliveryTimedOut';
}

/** Connections to one server, opened as they are needed, each used for many messages. */
export interface SmtpPool {
  /** Hands a message over, on the next free connection. @throws the server's answer, as nodemailer's error; DeliveryTimedOut */
  send(mail: OutgoingMail): Promise<Sent>;
  /** Accepts no more, fails what waits, and closes connections as they become free. */
  close(): void;
  /** Cuts what is still being handed over. */
  abort(): void;
}

interface Job {
  readonly mail: OutgoingMail;
  readonly resolve: (info: Sent) => void;
  readonly reject: (error: Error) => void;
  /** It was given to a connection that had been closed meanwhile. */
  isRepeat: boolean;
  isSettled: boolean;
  slot: Slot | undefined;
}

interface Slot {
  readonly connection: MailConnection;
  isOpen: boolean;
  messages: number;
  job: Job | undefined;
  /** Closes the connection when it was idle for long. */
  timer: NodeJS.Timeout | undefined;
}

/** @param deliverMs how long one message may take, with the wait for a connection */
export function smtpPool({ connection, options }: SmtpServer, deliverMs: number): SmtpPool {
  const { maxConnections, maxMessages, idleTimeout } = options;
  const slots = new Set<Slot>();
  const idle: Slot[] = [];
  const waiting: Job[] = [];
  let isClosed = false;

  const remove = (list: unknown[], item: unknown): void => {
    const index = list.indexOf(item);
    if (index >= 0) list.splice(index, 1);
  };

  const drop = (slot: Slot, say: 'quit' | 'close'): void => {
    clearTimeout(slot.timer);
    remove(idle, slot);
    if (slots.delete(slot)) slot.connection[say]();
  };

  const addSlot = (): Slot => {
    const slot: Slot = {
      // One that ends while it carries a message fails that message, which drops it.
      connection: connection(() => {
        if (!slot.job) drop(slot, 'close');
      }),
      isOpen: false,
      messages: 0,
      job: undefined,
      timer: undefined,
    };
    slots.add(slot);
    return slot;
  };

  const release = (slot: Slot): void => {
    slot.job = undefined;
    if (isClosed || slot.messages >= maxMessages) {
      drop(slot, 'quit');
      return;
    }
    if (slot.timer) slot.timer.refresh();
    else if (idleTimeout > 0)
      slot.timer = setTimeout(() => {
        if (!slot.job) drop(slot, 'quit');
      }, idleTimeout).unref();
    idle.push(slot);
  };

  const settle = (job: Job, how: () => void): void => {
    if (!isRunning(job)) return;
    job.isSettled = true;
    how();
  };

  const carry = async (slot: Slot, job: Job): Promise<void> => {
    [slot.job, job.slot] = [job, slot];
    try {
      if (!slot.isOpen) await slot.connection.open();
      slot.isOpen = true;
    } catch (error) {
      settle(job, () => job.reject(errorOf(error)));
      drop(slot, 'close');
      return;
    }
    if (!isRunning(job)) return;
    const result = await slot.connection.send(job.mail);
    slot.messages += 1;
    if ('sent' in result) {
      settle(job, () => job.resolve(result.sent));
      release(slot);
      return;
    }
    // The server had closed the connection since its last message: another connection carries this one.
    const isRepeatable = slot.messages > 1 && result.isUnread && !result.isUsable && !job.isRepeat && !isClosed;
    if (isRepeatable && isRunning(job) && !isAnswer(result.error)) {
      [job.isRepeat, job.slot] = [true, undefined];
      waiting.unshift(job);
    } else settle(job, () => job.reject(result.error));
    if (result.isUsable) release(slot);
    else drop(slot, 'close');
  };

  /** Gives waiting messages to free connections. A repeat takes a new one. */
  const dispatch = (): void => {
    for (let [job] = waiting; job; [job] = waiting) {
      const spare = idle.at(-1);
      if (job.isRepeat && slots.size >= maxConnections && spare) drop(spare, 'quit');
      const slot = job.isRepeat ? undefined : idle.pop();
      if (!slot && slots.size >= maxConnections) return;
      waiting.shift();
      void carry(slot ?? addSlot(), job).finally(dispatch);
    }
  };

  const closedError = (): Error => new Error('The connections to the mail server are closed.');

  return {
    send: (mail) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closedError());
          return;
        }
        const timer = setTimeout(() => {
          remove(waiting, job);
          settle(job, () => job.reject(new DeliveryTimedOut()));
          if (job.slot?.job === job) drop(job.slot, 'close');
          dispatch();
        }, deliverMs);
        const job: Job = {
          mail,
          resolve(info) {
            clearTimeout(timer);
            resolve(info);
          },
          reject(error) {
            clearTimeout(timer);
            reject(error);
          },
          isRepeat: false,
          isSettled: false,
          slot: undefined,
        };
        waiting.push(job);
        dispatch();
      }),
    close() {
      isClosed = true;
      for (const job of waiting.splice(0)) settle(job, () => job.reject(closedError()));
      for (const slot of [...idle]) drop(slot, 'quit');
    },
    abort() {
      for (const slot of [...slots]) {
        const { job } = slot;
        if (job) settle(job, () => job.reject(closedError()));
        drop(slot, 'close');
      }
    },
  };
}

/** Whether it is still to be answered: it may have timed out. */
const isRunning = ({ isSettled }: Job): boolean => !isSettled;

/** Whether an error is what the server said. */
const isAnswer = (error: Error): boolean => 'responseCode' in error;
