import { parseAddress } from '#core/kernel/schema/email-address.js';
import { subjectSourceProblem } from '../../messages/subject-source.js';
import { parseGivenCondition } from '../conditions/condition.js';
import { isRecord } from '#core/runtime/json.js';
import { stepProblem } from '../step-problem.js';
import { stepTypes, type Step, type VariableValue } from './tree.js';

/** Steps of one list: the top level, or an arm of a branch. */
export const maxSteps = 50;
/** The most levels of nested branches. */
const maxDepth = 8;
export const maxWaitSeconds = 7_776_000;
const maxVariables = 100;

type Given = Readonly<Record<string, unknown>>;

/**
 * Parses a step tree in the form of docs/automations.md.
 * @throws invalid_input naming the step and its field: `steps[1].then[0].seconds`
 */
export const parseSteps = (given: readonly unknown[]): Step[] => {
  if (given.length === 0) throw stepProblem('steps', 'must hold at least 1 item');
  return parseList(given, 'steps', 0);
};

function parseList(given: unknown, path: string, depth: number): Step[] {
  if (!Array.isArray(given)) throw stepProblem(path, 'is required, and must be a list of steps');
  if (given.length > maxSteps) throw stepProblem(path, `must hold at most ${maxSteps} items`);
  return given.map((each: unknown, index) => parseStep(each, `${path}[${index}]`, depth));
}

function parseStep(given: unknown, path: string, depth: number): Step {
  if (!isRecord(given)) throw stepProblem(path, 'must be an object with a type');
  const type = stepTypes.find((each) => each === given['type']);
  switch (type) {
    case 'wait':
      return parseWait(given, path);
    case 'send':
      return parseSend(given, path);
    case 'property.set':
      return parseProperty(given, path);
    case 'branch':
      return parseBranch(given, path, depth);
    case undefined:
      throw stepProblem(`${path}.type`, `must be one of ${stepTypes.join(', ')}`);
  }
}

/** Refuses fields that the step does not have. */
function onlyFields(given: Given, path: string, fields: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => key !== 'type' && !fields.includes(key));
  if (unknown !== undefined)
    throw stepProblem(`${path}.${unknown}`, `is unknown: this step has type, ${fields.join(', ')}`);
}

function text(given: Given, name: string, path: string, maxLength: number): string {
  const value = given[name];
  if (value === undefined) throw stepProblem(`${path}.${name}`, 'is required');
  if (typeof value !== 'string') throw stepProblem(`${path}.${name}`, 'must be of type string');
  if (value === '') throw stepProblem(`${path}.${name}`, 'must not be empty');
  if (Array.from(value).length > maxLength)
    throw stepProblem(`${path}.${name}`, `must be at most ${maxLength} characters long`);
  return value;
}

const isValue = (value: unknown): value is VariableValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function parseWait(given: Given, path: string): Step {
  onlyFields(given, path, ['seconds']);
  const { seconds } = given;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > maxWaitSeconds)
    throw stepProblem(`${path}.seconds`, `must be a whole number from 1 to ${maxWaitSeconds}, which is 90 days`);
  return { type: 'wait', seconds };
}

function parseSend(given: Given, path: string): Step {
  onlyFields(given, path, ['channel', 'template', 'topic', 'from', 'subject', 'variables']);
  const { channel = 'email' } = given;
  if (channel !== 'email' && channel !== 'sms') throw stepProblem(`${path}.channel`, 'must be email or sms');
  const step = {
    type: 'send' as const,
    template: text(given, 'template', path, 100),
    topic: text(given, 'topic', path, 100),
    ...parseVariables(given['variables'], path),
  };
  if (channel === 'email') return { ...step, channel, ...parseFrom(given, path), ...parseSubject(given, path) };
  const onlyEmail = ['from', 'subject'].find((name) => given[name] !== undefined);
  if (onlyEmail !== undefined) throw stepProblem(`${path}.${onlyEmail}`, 'is only for email steps: leave it out');
  return { ...step, channel };
}

function parseFrom(given: Given, path: string): { from: string } {
  const parsed = parseAddress(text(given, 'from', path, 254));
  if (!parsed.ok) throw stepProblem(`${path}.from`, parsed.problem);
  return { from: parsed.address };
}

function parseSubject(given: Given, path: string): { subject?: string } {
  if (given['subject'] === undefined) return {};
  const subject = text(given, 'subject', path, 300);
  const problem = subject.trim() === '' ? 'must not be blank' : subjectSourceProblem(subject);
  if (problem !== null) throw stepProblem(`${path}.subject`, problem);
  return { subject };
}

function parseVariables(given: unknown, path: string): { variables?: Record<string, VariableValue> } {
  if (given === undefined) return {};
  if (!isRecord(given)) throw stepProblem(`${path}.variables`, 'must be an object of strings, numbers and booleans');
  const entries = Object.entries(given);
  if (entries.length > maxVariables) throw stepProblem(`${path}.variables`, `must hold at most ${maxVariables} fields`);
  const checked = entries.map(([name, value]) => {
    if (!isValue(value)) throw stepProblem(`${path}.variables.${name}`, 'must be a string, a number or a boolean');
    return [name, value] as const;
  });
  return { variables: Object.fromEntries(checked) };
}

/** Names of Object.prototype, which no request body may contain as names either. */
const reservedKeys = ['__proto__', 'constructor', 'prototype'];

function parseProperty(given: Given, path: string): Step {
  onlyFields(given, path, ['key', 'value']);
  const key = text(given, 'key', path, 100);
  if (/\p{Cc}/u.test(key) || reservedKeys.includes(key)) throw stepProblem(`${path}.key`, 'is not an allowed name');
  const { value } = given;
  if (value === undefined) throw stepProblem(`${path}.value`, 'is required; null removes the property');
  if (value !== null && !isValue(value))
    throw stepProblem(`${path}.value`, 'must be a string, a number, a boolean or null');
  if (typeof value === 'string' && Array.from(value.normalize('NFC')).length > 500)
    throw stepProblem(`${path}.value`, 'must be at most 500 characters long');
  return { type: 'property.set', key: key.normalize('NFC'), value };
}

function parseBranch(given: Given, path: string, depth: number): Step {
  onlyFields(given, path, ['if', 'then', 'else']);
  if (depth >= maxDepth) throw stepProblem(path, `is nested deeper than ${maxDepth} branches`);
  return {
    type: 'branch',
    if: parseGivenCondition(given['if'], `${path}.if`),
    then: parseList(given['then'], `${path}.then`, depth + 1),
    else: parseList(given['else'], `${path}.else`, depth + 1),
  };
}
