/** Types of one or several values, and the keys of those that are objects. */
export interface Shape {
  readonly types: ReadonlySet<string>;
  /** Keys of the objects, with the number of objects that have each key. */
  readonly keys: ReadonlyMap<string, { readonly shape: Shape; readonly count: number }>;
  readonly objects: number;
  /** Shape that covers all entries of the arrays. */
  readonly entries: Shape | undefined;
}

const NOTHING: Shape = { types: new Set(), keys: new Map(), objects: 0, entries: undefined };

/** Shows objects that many documents contain only once. A key that only they have identifies them. */
export class Shapes {
  readonly named = new Map<string, Shape>();

  constructor(private readonly names: Readonly<Record<string, string>> = {}) {}

  /** The shape of a JSON value. */
  of(value: unknown): Shape {
    if (Array.isArray(value)) {
      const entries = value.map((entry) => this.of(entry)).reduce(merged, NOTHING);
      return { ...NOTHING, types: new Set(['array']), entries };
    }
    if (typeof value === 'object' && value !== null) return this.ofObject(value);
    const type = value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value;
    return { ...NOTHING, types: new Set([type]) };
  }

  private ofObject(value: object): Shape {
    // Omits the content, because docs/api.md covers it and is also checked.
    if (Object.hasOwn(value, 'openapi')) return { ...NOTHING, types: new Set(['OpenAPI']) };
    const keys = Object.entries(value).map(
      ([key, part]) => [key, { shape: this.of(part), count: 1 }] as const,
    );
    const shape = { ...NOTHING, types: new Set(['object']), keys: new Map(keys), objects: 1 };
    const name = Object.entries(this.names).find(([, key]) => Object.hasOwn(value, key))?.[0];
    if (name === undefined) return shape;
    this.named.set(name, merged(this.named.get(name) ?? NOTHING, shape));
    return { ...NOTHING, types: new Set([name]) };
  }
}

/** The shape that covers both. */
function merged(a: Shape, b: Shape): Shape {
  const keys = new Map(a.keys);
  for (const [key, { shape, count }] of b.keys) {
    const { shape: known = NOTHING, count: before = 0 } = keys.get(key) ?? {};
    keys.set(key, { shape: merged(known, shape), count: before + count });
  }
  const types = new Set([...a.types, ...b.types]);
  const entries = a.entries && b.entries ? merged(a.entries, b.entries) : (a.entries ?? b.entries);
  return { types, keys, objects: a.objects + b.objects, entries };
}

/** Formats one key per line, with `?` after a key that not every object has. */
export function shapeText(shape: Shape, indent = ''): string {
  const types = [...shape.types].map((type) => {
    if (type === 'array') return `[${shape.entries === undefined ? '' : shapeText(shape.entries, indent)}]`;
    if (type === 'object') return objectText(shape, indent);
    return type;
  });
  return types.sort().join(' | ');
}

function objectText({ keys, objects }: Shape, indent: string): string {
  if (keys.size === 0) return '{}';
  const lines = Array.from(keys, ([key, { shape, count }]) => {
    const name = count < objects ? `${key}?` : key;
    return `${indent}  ${name}: ${shapeText(shape, `${indent}  `)}\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}
