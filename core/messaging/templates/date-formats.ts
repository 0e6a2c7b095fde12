import type { Liquid } from 'liquidjs';

/*
 * The formats of `date` that Liquid's documentation refers to, Ruby's strftime, and the engine does not know:
 * https://docs.ruby-lang.org/en/3.4/strftime_formatting_rdoc.html
 */

/** Formats that stand for others. `%c`, `%x` and `%X` would be in the form of the machine's language. */
const composed: ReadonlyMap<string, string> = new Map([
  ['F', '%Y-%m-%d'],
  ['T', '%H:%M:%S'],
  ['R', '%H:%M'],
  ['D', '%m/%d/%y'],
  ['r', '%I:%M:%S %p'],
  ['v', '%e-%^b-%Y'],
  ['c', '%a %b %e %H:%M:%S %Y'],
  ['x', '%m/%d/%y'],
  ['X', '%H:%M:%S'],
  ['+', '%a %b %e %H:%M:%S %Z %Y'],
]);

const dayMs = 24 * 60 * 60_000;

/** The week of a date and the year that the week belongs to (ISO 8601): that of its Thursday. */
function weekOf(year: number, month: number, day: number): { year: number; week: number } {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return { year: date.getUTCFullYear(), week: Math.floor((date.getTime() - first.getTime()) / dayMs / 7) + 1 };
}

const specifier = /%([-_^#:\d]{0,20})([a-z+%])/gi;

/** A number with the flags of a format: `-` without padding, `_` with spaces, a width. */
function padded(value: number, flags: string, width: number): string {
  if (flags.includes('-')) return String(value);
  const wanted = Number(/[1-9]\d*/.exec(flags)?.[0] ?? width);
  return String(value).padStart(Math.min(wanted, 100), flags.includes('_') ? ' ' : '0');
}

/** Lets `date` of an engine write all of Ruby's formats. */
export function useRubyDates(engine: Liquid): void {
  const own = engine.filters['date'];
  if (typeof own !== 'function') throw new Error('The template engine has no filter “date”.');
  engine.registerFilter('date', function (value: unknown, format: unknown, ...others: unknown[]) {
    const write = (written: unknown): unknown => own.call(this, value, written, ...others);
    if (typeof format !== 'string') return write(format);
    const replaced = (text: string): string =>
      text.replaceAll(specifier, (found, flags: string, letter: string) => {
        const expansion = composed.get(letter);
        if (expansion !== undefined) {
          const upper = flags.includes('^') ? expansion.replaceAll(/%\^?(?=[a-z])/gi, '%^') : expansion;
          return replaced(upper);
        }
        // The engine writes the offset of the engine's zone.
        if (letter === 'Z' && (others[0] ?? null) === null) return 'UTC';
        if (letter !== 'V' && letter !== 'G' && letter !== 'g') return found;
        const [year, month, day] = String(write('%Y %m %d')).split(' ').map(Number);
        const week = weekOf(year ?? NaN, month ?? NaN, day ?? NaN);
        if (Number.isNaN(week.week)) return found;
        if (letter === 'V') return padded(week.week, flags, 2);
        return letter === 'G' ? padded(week.year, flags, 4) : padded(week.year % 100, flags, 2);
      });
    return write(replaced(format));
  });
}
