import type * as z from 'zod';
import { type Job, JobSchema } from '../contract/job.ts';
import { isObject } from '../contract/values.ts';

export const MISFITS = Symbol('misfits');

export type JobFields = { readonly [Field in keyof Job]?: FromServer<Job[Field]> | undefined };

export type FromServer<T> = T extends string
  ? string
  : T extends readonly (infer Entry)[]
    ? readonly FromServer<Entry>[]
    : T extends object
      ? { readonly [Field in keyof T]?: FromServer<T[Field]> | undefined }
      : T;

/**
 * A job as the server returned it. Missing values and those of unexpected types are omitted, so only `id` is certain.
 * Unknown fields are kept, and `toJSON` returns the server's JSON.
 */
export type ServerJob = JobFields & { readonly id: number; readonly [MISFITS]?: readonly string[] } & {
  readonly [field: string]: unknown;
};

export function serverJob(answered: Readonly<Record<string, unknown>> & { readonly id: number }): ServerJob {
  const misfits = new Set<string>();
  const job = dropMisfits(JobSchema, answered, misfits);
  if (job === answered) return answered as ServerJob;
  Object.defineProperty(job, 'toJSON', { value: () => answered });
  return (misfits.size === 0 ? job : Object.assign(job, { [MISFITS]: [...misfits] })) as ServerJob;
}

/**
 * Removes values that don't match the schema, and adds their top-level fields to `misfits`. An unexpected null becomes
 * an empty list or is removed (decision 29). Returns the same object if everything matches.
 */
export function dropMisfits(
  { shape }: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  misfits = new Set<string>(),
  outermost?: string,
): Readonly<Record<string, unknown>> {
  let fitted: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(shape, name)) continue;
    const field = fitValue(shape[name] as z.ZodType, value[name], misfits, outermost ?? name);
    if (field === value[name]) continue;
    fitted ??= { ...value };
    if (field === undefined) delete fitted[name];
    else fitted[name] = field;
  }
  return fitted ?? value;
}

function fitValue(schema: z.ZodType, value: unknown, misfits: Set<string>, outermost: string): unknown {
  const { type, isNullable } = unwrapType(schema);
  const kind = type.def.type;
  if (value === null) return isNullable ? null : schema === type && kind === 'array' ? [] : undefined;
  if (kind === 'object' && isObject(value)) {
    return dropMisfits(type as z.ZodObject, value, misfits, outermost);
  }
  if (kind === 'array' && Array.isArray(value)) {
    const { element } = type as z.ZodArray<z.ZodType>;
    const entries = value
      .map((entry) => fitValue(element, entry, misfits, outermost))
      .filter((entry) => entry !== undefined);
    const isSame = entries.length === value.length && entries.every((entry, at) => entry === value[at]);
    return isSame ? value : entries;
  }
  if (isScalar(kind, value)) return value;
  misfits.add(outermost);
  return undefined;
}

function isScalar(type: string, value: unknown): boolean {
  if (type === 'number') return Number.isSafeInteger(value);
  if (type === 'string' || type === 'enum') return typeof value === 'string';
  return type === 'boolean' && typeof value === 'boolean';
}

function unwrapType(schema: z.ZodType) {
  let type = schema;
  let isNullable = false;
  while (type.def.type === 'nullable' || type.def.type === 'optional') {
    isNullable ||= type.def.type === 'nullable';
    type = (type as z.ZodOptional<z.ZodType>).unwrap();
  }
  return { type, isNullable };
}
