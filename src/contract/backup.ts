import * as z from 'zod';
import { textProblems, wording } from './check.ts';
import { JobSchema } from './job.ts';
import { type FieldPath, fieldName } from './problems.ts';
import { attempt } from './system-errors.ts';
import { BUDGET_WINDOWS } from './values.ts';

export const BACKUP_FORMAT = 'partner-engine-backup';

export const BackupHeadSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  schemaVersion: z.int(),
  madeAt: z.iso.datetime(),
  release: z.string(),
});

export const backupLineSchema = <Table extends string>(tables: readonly Table[]) =>
  z.union([
    z.object({ file: z.string(), content: z.string().transform((text) => Buffer.from(text, 'base64')) }),
    z.object({ table: z.enum(tables), rows: z.array(z.unknown()) }),
  ]);

/** Maximum length without strings. It's far more than 100 rows or the largest listing need. */
const STRUCTURE_MAX = 200_000;

/** Parses JSON. Returns undefined if the value would need many times the memory of the text. */
export function parseBackupJson(text: string): unknown {
  const isShort = text.length <= STRUCTURE_MAX;
  const structure = isShort ? '' : text.replace(/\\./gs, '').replace(/"[^"]*"/g, '');
  return structure.length > STRUCTURE_MAX ? undefined : attempt(() => JSON.parse(text));
}

/** `columns` maps a column to its kind, with `?` if it can be null. `parents` maps an ID column to its table. */
type Rules = Record<'columns' | 'parents', Record<string, string>> & { readonly unique: readonly string[] };

const KINDS: Readonly<Record<string, z.ZodType>> = {
  ...JobSchema.shape,
  text: z.string(),
  time: z.iso.datetime({ precision: 3, error: 'must be a time, such as 2026-03-31T09:00:00.000Z' }),
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be a hex SHA-256 digest'),
  one: z.literal(1),
  flag: z.literal([0, 1]),
  integer: z.int(),
  id: z.int().min(1),
  amount: z.int().min(0),
  count: z.int32().min(0),
  basics: z.record(z.string(), z.string()),
  answers: z.array(z.object({ questionId: z.string(), answer: z.unknown() })),
  met: z.array(z.string()),
  spend: z.record(z.enum(BUDGET_WINDOWS), z.object({ startsAt: z.int(), spentCents: z.number().min(0) })),
  object: z.record(z.string(), z.unknown()),
};

const JSON_TEXT = z.string().transform((text) => parseBackupJson(text) ?? text);

function columnSchema(spec: string): z.ZodType {
  const kind = spec.replace('?', '');
  const value = kind.includes('|') ? z.enum(kind.split('|')) : (KINDS[kind] as z.ZodType);
  const isJson = value instanceof z.ZodArray || value instanceof z.ZodRecord;
  const stored = isJson ? JSON_TEXT.pipe(value) : value;
  return kind === spec ? stored : stored.nullish();
}

export function createRowCheck(ruled: Readonly<Record<string, Rules>>) {
  const tables = Object.entries(ruled).map(([table, { columns, ...rules }]) => {
    const schemas = Object.entries(columns).map(([column, spec]) => [column, columnSchema(spec)]);
    return [table, { ...rules, schema: z.strictObject(Object.fromEntries(schemas)) }] as const;
  });
  const rulesOf = new Map(tables);
  const seen = new Map<string, Set<unknown>>();
  return (table: string, given: unknown): string | undefined => {
    const { schema, parents, unique } = rulesOf.get(table) as NonNullable<ReturnType<typeof rulesOf.get>>;
    const [issue] = schema.safeParse(given, { reportInput: true }).error?.issues ?? [];
    const fault = issue
      ? { path: issue.path as FieldPath, message: wording(issue)[0] }
      : textProblems(given).next().value;
    if (fault) return fault.path.length === 0 ? fault.message : `${fieldName(fault.path)} ${fault.message}`;
    const row = given as Readonly<Record<string, unknown>>;
    for (const [column, parent] of Object.entries(parents)) {
      if (!seen.get(`${parent} id`)?.has(row[column])) return `${column} isn't the ID of a row of ${parent}`;
    }
    for (const names of unique) {
      const values = names.split(' ').map((name) => row[name] ?? null);
      // As in SQL, null isn't equal to anything.
      if (values.includes(null)) continue;
      const value = values.length === 1 ? values[0] : values.join('\0');
      const others = seen.get(`${table} ${names}`) ?? new Set();
      if (others.has(value))
        return `${names.replace(' ', ' and ')} must be unique, but an earlier row has the same value`;
      seen.set(`${table} ${names}`, others.add(value));
    }
    return undefined;
  };
}
