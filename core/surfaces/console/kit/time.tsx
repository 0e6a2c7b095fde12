import { relativeTime } from '../../cli/terminal/times.js';

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the server's: how long ago, with the exact local time as its title. */
export const Time = ({ at }: { at: string }) => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeTime(at)}
    </time>
  );
};

/** The exact local time. */
export const exactTime = (at: string): string => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : exact.format(date);
};

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** The local day, such as “3 November 2026”. */
export const exactDay = (at: string): string => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : day.format(date);
};

/** Whether a text is a time as replies have it (RFC 3339, UTC). */
export const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text);
