import { Decimal } from 'decimal.js';
import { Drop, toValue, type Liquid } from 'liquidjs';

/*
 * The arithmetic of templates is decimal, because mails and texts calculate with money: 19.9 times 100 is 1990, not
 * 1989.9999999999998. As in Liquid, whole numbers divide as whole numbers, and `7 | divided_by: 2.0` is 3.5
 * (docs/decisions/0072).
 */

/**
 * Significant digits, as in IEEE 754 decimal128. Time and memory of an operation are bounded by it, and by the largest
 * exponent.
 */
const mostDigits = 34;
/**
 * How many digits of an endless quotient are shown. It is calculated with more, so that a third of 1 times 3 shows as
 * 1.
 */
const endlessDigits = 15;
/** As of the numbers in JSON. */
const largestExponent = 308;
const Exact = Decimal.clone({
  precision: mostDigits,
  rounding: Decimal.ROUND_HALF_UP,
  // The remainder has the sign of the divisor.
  modulo: Decimal.ROUND_FLOOR,
  maxE: largestExponent,
  minE: -largestExponent,
  toExpNeg: -largestExponent - mostDigits,
  toExpPos: largestExponent + 1,
});

interface Operand {
  readonly value: Decimal;
  /** This does not apply to 7.0, which is a decimal number of the same value. */
  readonly isWhole: boolean;
}

/**
 * Results that are not JavaScript numbers, because precision or form would be lost: 7.0 would become 7, and long
 * numbers lose digits.
 */
const results = new WeakMap<object, Operand>();

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;
/** The most characters of a number that is written as text. */
const mostCharacters = 400;

/** A filter's argument as a number. As everywhere in Liquid, a value that is not a number counts as 0. */
function operandOf(given: unknown): Operand {
  const known = typeof given === 'object' && given !== null ? results.get(given) : undefined;
  if (known) return known;
  const value: unknown = toValue(given);
  if (typeof value === 'number') return { value: checked(new Exact(value)), isWhole: Number.isInteger(value) };
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length > mostCharacters && /^[+-]?[\d.]+$/.test(text.slice(0, mostCharacters)))
    throw new Error(`a number has more than ${mostCharacters} characters`);
  return text.length <= mostCharacters && numeric.test(text)
    ? { value: checked(new Exact(text)), isWhole: /^[+-]?\d+$/.test(text) }
    : { value: new Exact(0), isWhole: true };
}

function checked(value: Decimal): Decimal {
  if (!value.isFinite()) throw new Error('a number is too large to calculate with');
  return value;
}

/**
 * The result as templates see it: a number if nothing is lost, otherwise an object that is shown and compared as the
 * number.
 */
function shown({ value, isWhole }: Operand): unknown {
  checked(value);
  if (isWhole && value.precision(true) > mostDigits) throw new Error(`a number has more than ${mostDigits} digits`);
  const number = value.toNumber();
  // JavaScript writes 0.0000001 as 1e-7.
  const isPlain = new Exact(number).equals(value) && !String(number).includes('e');
  if (isPlain && isWhole === Number.isInteger(number)) return number;
  const rest = value.precision() > mostDigits - 4 ? value.toSignificantDigits(endlessDigits) : value;
  const plain = isPlain ? number : rest.toFixed();
  const result: object = {
    valueOf: () => plain,
    toString: () => String(plain),
    toJSON: () => plain,
  };
  Object.setPrototypeOf(result, Drop.prototype);
  results.set(result, { value, isWhole });
  return result;
}

type Operation = (left: Operand, right: Operand) => Operand;

/** An operation whose result is a whole number if both of its numbers are. */
const closed =
  (calculate: (left: Decimal, right: Decimal) => Decimal): Operation =>
  (left, right) => ({ value: calculate(left.value, right.value), isWhole: left.isWhole && right.isWhole });

const divisor = (value: Decimal): Decimal => {
  if (value.isZero()) throw new Error('a number is divided by 0: check the divisor first, as in {% if count != 0 %}');
  return value;
};

/** The quotient of whole numbers, rounded down. */
function wholeQuotient(left: Decimal, right: Decimal): Decimal {
  const quotient = left.divToInt(right);
  return left.mod(right).isZero() || left.isNegative() === right.isNegative() ? quotient : quotient.minus(1);
}

function rounded({ value }: Operand, { value: places }: Operand): Operand {
  const count = Math.max(-mostCharacters, Math.min(mostCharacters, Math.trunc(places.toNumber())));
  if (count > 0) return { value: value.toDecimalPlaces(count), isWhole: false };
  const unit = new Exact(10).pow(Math.min(-count, largestExponent));
  return { value: value.div(unit).toDecimalPlaces(0).times(unit), isWhole: true };
}

const plus = closed((left, right) => left.plus(right));

const operations: Readonly<Record<string, Operation>> = {
  plus,
  minus: closed((left, right) => left.minus(right)),
  times: closed((left, right) => left.times(right)),
  divided_by: (left, right) =>
    left.isWhole && right.isWhole
      ? { value: wholeQuotient(left.value, divisor(right.value)), isWhole: true }
      : { value: left.value.div(divisor(right.value)), isWhole: false },
  modulo: closed((left, right) => left.mod(divisor(right))),
  at_least: (left, right) => (left.value.lessThan(right.value) ? right : left),
  at_most: (left, right) => (left.value.greaterThan(right.value) ? right : left),
  round: rounded,
  abs: ({ value, isWhole }) => ({ value: value.abs(), isWhole }),
  ceil: ({ value }) => ({ value: value.ceil(), isWhole: true }),
  floor: ({ value }) => ({ value: value.floor(), isWhole: true }),
};

/** Replaces the engine's arithmetic filters, which calculate in binary fractions. */
export function useDecimalArithmetic(liquid: Liquid): void {
  for (const [name, operation] of Object.entries(operations))
    liquid.registerFilter(name, function (left: unknown, right: unknown, isWholeQuotient: unknown) {
      const [argument] = this.token.args;
      const literal = Array.isArray(argument) ? undefined : argument?.getText();
      const given = operandOf(right);
      // A variable that is 2.0 in JSON is 2.
      const isWhole = given.isWhole && !(literal !== undefined && /^-?\d+\.\d+$/.test(literal));
      const result = operation(operandOf(left), { ...given, isWhole });
      // The engine's own option: `divided_by: 2, true`.
      const isFloored = name === 'divided_by' && isWholeQuotient === true;
      return shown(isFloored ? { value: result.value.floor(), isWhole: true } : result);
    });
  liquid.registerFilter('sum', function* (list: unknown, property: unknown): Generator<unknown, unknown, unknown> {
    const given: unknown = toValue(list);
    const items: readonly unknown[] = Array.isArray(given) ? given : [given];
    this.context.memoryLimit.use(items.length);
    let total: Operand = { value: new Exact(0), isWhole: true };
    for (const item of items) {
      const each =
        property === undefined ? item : yield this.context._getFromScope(item, String(toValue(property)), false);
      total = plus(total, operandOf(each));
    }
    return shown(total);
  });
}
