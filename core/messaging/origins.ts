import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** The sender of a message. */
export const messageKinds = ['single', 'broadcast', 'automation', 'system'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The origin of a message, as its row states. */
export interface Origin {
  kind: MessageKind;
  /** The id of the broadcast or automation; null for other messages. */
  id: string | null;
  environment: 'live' | 'test';
  /** The template that it was made from, as `welcome, version 2, de`; null without one. */
  template: string | null;
  topic: string | null;
}

const labels: Readonly<Record<MessageKind, string>> = {
  single: '',
  broadcast: 'Broadcast',
  automation: 'Automation',
  system: 'System',
};

/**
 * Labels of a message in a list: its sender, unless it is a single message, and whether it is from a test environment.
 */
export const originLabels = ({ kind, environment }: Origin): string[] =>
  [labels[kind], environment === 'test' ? 'Test' : ''].filter((label) => label !== '');

interface Row {
  id: Buffer;
  is_system: number;
  broadcast_id: Buffer | null;
  automation_id: Buffer | null;
  template: string | Buffer | null;
  template_version: number | null;
  template_locale: Buffer | null;
  topic: string | Buffer | null;
  kind: Buffer;
}

/**
 * The origins of some messages of a channel, by message id. Messages that no longer exist are absent.
 * @param table the channel's table of messages
 */
export async function originsOf(
  db: Pick<Session, 'rows'>,
  table: string,
  ids: readonly string[],
): Promise<Map<string, Origin>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<Row>(
    `SELECT m.id, m.is_system, m.broadcast_id, m.automation_id, m.template, m.template_version, m.template_locale, m.topic, e.kind
     FROM ${table} m JOIN svc_environment e ON e.id = m.environment_id WHERE m.id IN (?)`,
    [ids.map(idBytes)],
  );
  return new Map(rows.map((row) => [idText(row.id), originOf(row)]));
}

function originOf(row: Row): Origin {
  const by = row.broadcast_id ?? row.automation_id;
  const template = [
    row.template,
    row.template_version === null ? null : `version ${row.template_version}`,
    row.template_locale,
  ].flatMap((each) => (each === null ? [] : [each.toString()]));
  return {
    kind: row.is_system === 1 ? 'system' : row.broadcast_id ? 'broadcast' : row.automation_id ? 'automation' : 'single',
    id: by && idText(by),
    environment: row.kind.toString() === 'test' ? 'test' : 'live',
    template: template.length === 0 ? null : template.join(', '),
    topic: row.topic === null ? null : row.topic.toString(),
  };
}
