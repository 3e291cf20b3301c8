import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { howToWrite } from '../../contract/how-to-write.ts';
import { flawWording } from '../../contract/json/fault.ts';
import type { Position } from '../../contract/json/positions.ts';
import { DEPTH_LIMIT, setOwn, VALUES_MAX } from '../../contract/json/reader.ts';
import { Malformed, nested, TooMuch, tooManyValues, type Wording } from '../../contract/json/words.ts';
import { clipped, type FieldPath, PROBLEMS_MAX } from '../../contract/problems.ts';
import type { Fault } from '../check/finding.ts';
import type { ListingDocument } from './listing.ts';

/** Values and characters that the aliases of a file repeat. */
const ALIASED_MAX = 4_000_000;

export interface YamlFile {
  readonly text: string;
  readonly positionAt: (offset: number) => Position;
  /** How much its aliases have repeated so far. */
  aliased: number;
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** A listing out of a document's nodes. Throws Malformed for more values than a listing has. */
export class YamlListing implements ListingDocument {
  readonly value: unknown;
  readonly flaws: Fault[] = [];
  flawsOmitted = 0;
  private values = 0;
  private readonly path: (string | number)[] = [];
  private readonly targets = new Map<Alias, Node>();
  /** Undefined outside of what an alias repeats. */
  private aliasStart: number | undefined;

  readonly locate = (path: FieldPath, part: 'value' | 'name' = 'value'): Position => {
    let [node, nameStart]: [Node, number] = [this.root, startOf(this.root)];
    for (const step of path) {
      const within = isAlias(node) ? this.targets.get(node) : node;
      if (isSeq<Node>(within)) {
        const item = within.items[Number(step)];
        if (item === undefined) break;
        [node, nameStart] = [item, startOf(item)];
      } else {
        const pair = isMap<Node, Node>(within) && within.items.findLast(({ key }) => nameOf(key) === step);
        if (!pair) break;
        [node, nameStart] = [pair.value ?? pair.key, startOf(pair.key)];
      }
    }
    return this.file.positionAt(part === 'name' ? nameStart : startOf(node));
  };

  constructor(
    private readonly root: Node,
    private readonly anchors: Map<string, Node>,
    private readonly file: YamlFile,
  ) {
    this.value = this.valueOf(root);
  }

  private valueOf(node: Node | null): unknown {
    this.count(node);
    if (node === null) return null;
    if (isAlias(node)) return this.aliased(node);
    const value = this.ownValue(node);
    // Behind its value, so that nothing can hold itself.
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
    return value;
  }

  private count(node: Node | null): void {
    const isAliased = this.aliasStart !== undefined;
    if (isAliased) this.file.aliased += isScalar(node) ? 1 + String(node.value).length : 1;
    if (++this.values <= VALUES_MAX && this.file.aliased <= ALIASED_MAX) return;
    const start = this.aliasStart ?? (node === null ? 0 : startOf(node));
    throw new TooMuch(start, isAliased ? TOO_MANY_ALIASED : tooManyValues(VALUES_MAX));
  }

  private ownValue(node: Exclude<Node, Alias>): unknown {
    if (isMap<Node, Node | null>(node)) return this.map(node);
    if (isSeq<Node>(node)) return node.items.map((item, index) => this.part(index, item));
    return isScalar(node) ? this.scalar(node) : null;
  }

  private part(name: string | number, node: Node | null): unknown {
    this.path.push(name);
    if (this.path.length > DEPTH_LIMIT) throw new Malformed(this.aliasStart ?? 0, nested(DEPTH_LIMIT));
    const value = this.valueOf(node);
    this.path.pop();
    return value;
  }

  private map({ items }: YAMLMap<Node, Node | null>): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const starts = new Map<string, number>();
    for (const { key, value } of items) {
      const name = nameOf(key);
      const start = startOf(key);
      if (name === undefined) {
        this.note(start, NO_NAME);
        continue;
      }
      const firstStart = starts.get(name);
      if (firstStart !== undefined) this.noteRepeat(name, start, firstStart);
      starts.set(name, firstStart ?? start);
      setOwn(object, name, this.part(name, value));
    }
    return object;
  }

  private scalar(node: Scalar): unknown {
    const { value, source = '' } = node;
    if (typeof value === 'number' && source !== String(value)) {
      const [read, shown] = [String(value), clipped(source, 40)];
      const meant = /^\d+\.\d+$/.test(shown) ? howToWrite(this.path, shown) : undefined;
      const hint = `write ${Number.isFinite(value) ? `${read}, or ` : ''}${JSON.stringify(shown)} where it is text`;
      this.note(startOf(node), [`${shown} is read as the number ${read}`, meant ?? hint], 'json-lost-digits');
    } else if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      this.note(startOf(node), HALF_CHARACTER, 'json-half-character');
    }
    return value;
  }

  private aliased(alias: Alias): unknown {
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      const hint = 'put a text that begins with * in quotes; an alias has its anchor (&) above it';
      this.note(startOf(alias), [`*${clipped(alias.source, 40)} is an alias of nothing`, hint]);
      return null;
    }
    this.targets.set(alias, target);
    const outer = this.aliasStart;
    this.aliasStart ??= startOf(alias);
    const value = this.valueOf(target);
    this.aliasStart = outer;
    return value;
  }

  private noteRepeat(name: string, start: number, firstStart: number): void {
    const flaw = { kind: 'repeated-name', firstStart, path: [], start } as const;
    const { message, hint } = flawWording(flaw, this.file.positionAt);
    this.path.push(name);
    this.note(start, [message, hint], 'json-repeated-field');
    this.path.pop();
  }

  private note(start: number, [message, hint]: Wording, rule: Fault['rule'] = 'yaml-syntax'): void {
    const path = this.path.length === 0 ? {} : { path: [...this.path] };
    if (this.flaws.length >= PROBLEMS_MAX) this.flawsOmitted++;
    else this.flaws.push({ rule, ...path, message, hint, ...this.file.positionAt(start) });
  }
}

const NO_NAME: Wording = [
  'the name of a field is no text',
  'put a value with braces, such as {{ title }}, in quotes',
];
const HALF_CHARACTER: Wording = ['holds half of a character', 'write the character itself'];
const TOO_MANY_ALIASED: Wording = ['its aliases repeat too much', 'write the values out'];

/** Undefined for a name that is a list, a map or an alias. */
function nameOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}
