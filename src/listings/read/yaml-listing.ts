import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { howToWrite } from '../../contract/how-to-write.ts';
import { clipText, type FieldPath, PROBLEMS_MAX } from '../../contract/problems.ts';
import { setOwn } from '../../contract/values.ts';
import { flawWording } from '../../json/fault.ts';
import type { Position } from '../../json/positions.ts';
import { DEPTH_LIMIT, VALUES_MAX } from '../../json/reader.ts';
import { describeExcess, describeNesting, Malformed, TooMuch, type Wording } from '../../json/words.ts';
import type { Fault } from '../check/finding.ts';
import type { ListingDocument } from './listing.ts';

const ALIASED_MAX = 4_000_000;

export interface YamlFile {
  readonly text: string;
  readonly positionAt: (offset: number) => Position;
  aliased: number;
}

function getStart(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Builds a listing from YAML nodes. Throws Malformed if it has more values than a listing can have. */
export class YamlListing implements ListingDocument {
  readonly value: unknown;
  readonly flaws: Fault[] = [];
  flawsOmitted = 0;
  private values = 0;
  private readonly path: (string | number)[] = [];
  private readonly targets = new Map<Alias, Node>();
  private aliasStart: number | undefined;

  readonly locate = (path: FieldPath, part: 'value' | 'name' = 'value'): Position => {
    let [node, nameStart]: [Node, number] = [this.root, getStart(this.root)];
    for (const step of path) {
      const within = isAlias(node) ? this.targets.get(node) : node;
      if (isSeq<Node>(within)) {
        const item = within.items[Number(step)];
        if (item === undefined) break;
        [node, nameStart] = [item, getStart(item)];
      } else {
        const pair =
          isMap<Node, Node>(within) && within.items.findLast(({ key }) => getKeyName(key) === step);
        if (!pair) break;
        [node, nameStart] = [pair.value ?? pair.key, getStart(pair.key)];
      }
    }
    return this.file.positionAt(part === 'name' ? nameStart : getStart(node));
  };

  constructor(
    private readonly root: Node,
    private readonly anchors: Map<string, Node>,
    private readonly file: YamlFile,
    readonly unit: string | undefined,
  ) {
    this.value = this.readNode(root);
  }

  private readNode(node: Node | null): unknown {
    this.count(node);
    if (node === null) return null;
    if (isAlias(node)) return this.readAlias(node);
    const value = this.ownValue(node);
    // Records the anchor after the value is read, so that a node can't contain itself.
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
    return value;
  }

  private count(node: Node | null): void {
    const isAliased = this.aliasStart !== undefined;
    if (isAliased) this.file.aliased += isScalar(node) ? 1 + String(node.value).length : 1;
    if (++this.values <= VALUES_MAX && this.file.aliased <= ALIASED_MAX) return;
    const start = this.aliasStart ?? (node === null ? 0 : getStart(node));
    const tooMany = describeExcess('the listing', VALUES_MAX, 'values');
    throw new TooMuch(start, isAliased ? TOO_MANY_ALIASED : tooMany);
  }

  private ownValue(node: Exclude<Node, Alias>): unknown {
    if (isMap<Node, Node | null>(node)) return this.map(node);
    if (isSeq<Node>(node)) return node.items.map((item, index) => this.part(index, item));
    return isScalar(node) ? this.scalar(node) : null;
  }

  private part(name: string | number, node: Node | null): unknown {
    this.path.push(name);
    if (this.path.length > DEPTH_LIMIT)
      throw new Malformed(this.aliasStart ?? 0, describeNesting(DEPTH_LIMIT));
    const value = this.readNode(node);
    this.path.pop();
    return value;
  }

  private map({ items }: YAMLMap<Node, Node | null>): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const starts = new Map<string, number>();
    for (const { key, value } of items) {
      const name = getKeyName(key);
      const start = getStart(key);
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
      const [read, shown] = [String(value), clipText(source, 40)];
      const meant = /^\d+\.\d+$/.test(shown) ? howToWrite(this.path, shown) : undefined;
      const hint = `use ${Number.isFinite(value) ? `${read}, or ` : ''}${JSON.stringify(shown)} if it is text`;
      this.note(
        getStart(node),
        [`${shown} is read as the number ${read}`, meant ?? hint],
        'json-lost-digits',
      );
    } else if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      this.note(getStart(node), HALF_CHARACTER, 'json-half-character');
    }
    return value;
  }

  private readAlias(alias: Alias): unknown {
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      const hint = 'put text that starts with * in quotes. An alias needs an anchor (&) above it';
      this.note(getStart(alias), [`*${clipText(alias.source, 40)} is an alias without an anchor`, hint]);
      return null;
    }
    this.targets.set(alias, target);
    const outer = this.aliasStart;
    this.aliasStart ??= getStart(alias);
    const value = this.readNode(target);
    this.aliasStart = outer;
    return value;
  }

  private noteRepeat(name: string, start: number, firstStart: number): void {
    const flaw = { rule: 'json-repeated-field', firstStart, path: [], start } as const;
    const { message, hint } = flawWording(flaw, this.file.positionAt);
    this.path.push(name);
    this.note(start, [message, hint], flaw.rule);
    this.path.pop();
  }

  private note(start: number, [message, hint]: Wording, rule: Fault['rule'] = 'yaml-syntax'): void {
    const path = this.path.length === 0 ? {} : { path: [...this.path] };
    if (this.flaws.length >= PROBLEMS_MAX) this.flawsOmitted++;
    else this.flaws.push({ rule, ...path, message, hint, ...this.file.positionAt(start) });
  }
}

const NO_NAME: Wording = [
  'a field name must be text',
  'put a value with braces, such as {{ title }}, in quotes',
];
const HALF_CHARACTER: Wording = [
  'contains half of a character (an unpaired surrogate)',
  'write the character or both halves',
];
const TOO_MANY_ALIASED: Wording = ['too many repeated aliases', 'write the values without aliases'];

function getKeyName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}
