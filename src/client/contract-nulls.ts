import type * as z from 'zod';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A server's object without the nulls that the contract's type does not have (decision 29): a list is then empty,
 * anything else left out. The same object where it has none; fields that the schema does not know stay as they came.
 */
export function withoutForeignNulls<T extends Fields>({ shape }: z.ZodObject, value: T): T {
  const entries = Object.entries(value);
  const fitting = entries
    .map(
      ([name, field]) =>
        [name, Object.hasOwn(shape, name) ? fittingValue(shape[name] as z.ZodType, field) : field] as const,
    )
    .filter(([, field]) => field !== undefined);
  const isSame = fitting.length === entries.length && fitting.every(([name, field]) => field === value[name]);
  return isSame ? value : (Object.fromEntries(fitting) as T);
}

function fittingValue(schema: z.ZodType, value: unknown): unknown {
  if (value === null) return isNullable(schema) ? null : isArray(schema) ? [] : undefined;
  if (schema.def.type === 'object') {
    return isObject(value) ? withoutForeignNulls(schema as z.ZodObject, value) : value;
  }
  if (!isArray(schema) || !Array.isArray(value)) return value;
  const entries = value.filter((entry) => entry !== null).map((entry) => fittingValue(schema.element, entry));
  return entries.length === value.length && entries.every((entry, at) => entry === value[at])
    ? value
    : entries;
}

const nullable = new WeakMap<z.ZodType, boolean>();

function isNullable(schema: z.ZodType): boolean {
  const known = nullable.get(schema) ?? schema.safeParse(null, { jitless: true }).success;
  nullable.set(schema, known);
  return known;
}

function isArray(schema: z.ZodType): schema is z.ZodArray<z.ZodType> {
  return schema.def.type === 'array';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
