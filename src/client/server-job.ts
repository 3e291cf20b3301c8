import type * as z from 'zod';
import { isObject } from '../contract/is-object.ts';
import { type Job, JobSchema } from '../contract/job.ts';

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
  const misfits: string[] = [];
  const job = fittingObject(JobSchema, answered, (field) => misfits.push(field));
  if (job === answered) return answered as ServerJob;
  Object.defineProperty(job, 'toJSON', { value: () => answered });
  return (misfits.length === 0 ? job : Object.assign(job, { [MISFITS]: misfits })) as ServerJob;
}

type OnMisfit = (field: string) => void;

/**
 * An object without what the schema refuses. A null that it refuses is an empty list or left out (decision 29), and no
 * misfit. The same object where all of it fits.
 */
export function fittingObject(
  { shape }: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  onMisfit: OnMisfit = () => {},
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value).map(([name, field]) => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    return [name, schema === undefined ? field : fitting(schema, field, () => onMisfit(name))] as const;
  });
  if (entries.every(([name, field]) => field === value[name])) return value;
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined));
}

function fitting(schema: z.ZodType, value: unknown, onMisfit: () => void): unknown {
  const { type, isNullable } = kindOf(schema);
  if (value === null)
    return isNullable ? null : schema === type && type.def.type === 'array' ? [] : undefined;
  if (type.def.type === 'object' && isObject(value)) {
    return fittingObject(type as z.ZodObject, value, onMisfit);
  }
  if (type.def.type === 'array' && Array.isArray(value)) {
    const { element } = type as z.ZodArray<z.ZodType>;
    const fittingEntries = value.map((entry) => fitting(element, entry, onMisfit));
    const entries = fittingEntries.filter((entry) => entry !== undefined);
    const isSame = entries.length === value.length && entries.every((entry, at) => entry === value[at]);
    return isSame ? value : entries;
  }
  if (isScalar(type.def.type, value)) return value;
  onMisfit();
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
