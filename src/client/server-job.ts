import type * as z from 'zod';
import { type Job, JobSchema } from '../contract/job.ts';
import { isObject } from '../contract/values.ts';

/** Names the fields whose values are, in part or as a whole, of another type than the contract's. */
export const MISFITS = Symbol('misfits');

/** What a server says of a job. An enum may hold a value of a later version. */
export type JobFields = { readonly [Field in keyof Job]?: FromServer<Job[Field]> | undefined };

export type FromServer<T> = T extends string
  ? string
  : T extends readonly (infer Entry)[]
    ? readonly FromServer<Entry>[]
    : T extends object
      ? { readonly [Field in keyof T]?: FromServer<T[Field]> | undefined }
      : T;

/**
 * A job as a server answers it. Only `id` is certain: what is missing, or of another type than the contract's, is left
 * out. Fields that the contract does not know are kept. As JSON it is what the server sent.
 */
export type ServerJob = JobFields & { readonly id: number; readonly [MISFITS]?: readonly string[] } & {
  readonly [field: string]: unknown;
};

export function serverJob(answered: Readonly<Record<string, unknown>> & { readonly id: number }): ServerJob {
  const misfits = new Set<string>();
  const job = fittingObject(JobSchema, answered, misfits);
  if (job === answered) return answered as ServerJob;
  Object.defineProperty(job, 'toJSON', { value: () => answered });
  return (misfits.size === 0 ? job : Object.assign(job, { [MISFITS]: [...misfits] })) as ServerJob;
}

/**
 * An object without what the schema refuses; `misfits` gets the outermost fields of that. A null that is refused is an
 * empty list or left out (decision 29), and no misfit. The same object where all of it fits.
 */
export function fittingObject(
  { shape }: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  misfits = new Set<string>(),
  outermost?: string,
): Readonly<Record<string, unknown>> {
  let fitted: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(shape, name)) continue;
    const field = fitting(shape[name] as z.ZodType, value[name], misfits, outermost ?? name);
    if (field === value[name]) continue;
    fitted ??= { ...value };
    if (field === undefined) delete fitted[name];
    else fitted[name] = field;
  }
  return fitted ?? value;
}

function fitting(schema: z.ZodType, value: unknown, misfits: Set<string>, outermost: string): unknown {
  const { type, isNullable } = kindOf(schema);
  const kind = type.def.type;
  if (value === null) return isNullable ? null : schema === type && kind === 'array' ? [] : undefined;
  if (kind === 'object' && isObject(value)) {
    return fittingObject(type as z.ZodObject, value, misfits, outermost);
  }
  if (kind === 'array' && Array.isArray(value)) {
    const { element } = type as z.ZodArray<z.ZodType>;
    const entries = value
      .map((entry) => fitting(element, entry, misfits, outermost))
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

function kindOf(schema: z.ZodType) {
  let type = schema;
  let isNullable = false;
  while (type.def.type === 'nullable' || type.def.type === 'optional') {
    isNullable ||= type.def.type === 'nullable';
    type = (type as z.ZodOptional<z.ZodType>).unwrap();
  }
  return { type, isNullable };
}
