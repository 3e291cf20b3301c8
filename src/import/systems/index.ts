import type { System } from '../system.ts';

/** Systems in the order in which they are detected. Those with a distinctive format come first. */
export const SYSTEMS = {
  greenhouse: async () => (await import('./greenhouse.ts')).greenhouse,
  lever: async () => (await import('./lever.ts')).lever,
  ashby: async () => (await import('./ashby.ts')).ashby,
  workable: async () => (await import('./workable.ts')).workable,
  recruitee: async () => (await import('./recruitee.ts')).recruitee,
  personio: async () => (await import('./personio.ts')).personio,
  indeed: async () => (await import('./indeed.ts')).indeed,
  'schema.org': async () => (await import('./schema-org.ts')).schemaOrg,
} as const satisfies Record<string, () => Promise<System>>;

export type SystemName = keyof typeof SYSTEMS;
