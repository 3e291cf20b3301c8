import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { isDisjointWith, JS, NFA } from 'refa';
import { analyse } from 'scslre';

/** Returns the source of all repetitions that can need more than linear time. */
export function slowRepetitions(literal: AST.RegExpLiteral): string[] {
  const { reports } = analyse(literal, { assumeRejectingSuffix: false });
  const slow = reports.map((report) => (report.type === 'Trade' ? report.startQuant : report.quant).raw);
  const matcher = matcherOf(literal);
  visitRegExpAST(literal.pattern, {
    onQuantifierEnter(quantifier) {
      if (quantifier.max === Number.POSITIVE_INFINITY && isRetried(quantifier, literal.flags, matcher))
        slow.push(quantifier.raw);
    },
  });
  return [...new Set(slow)];
}

/**
 * True if a search can start again inside the text that a repetition has scanned. With `<!--.*?-->`, each `<!--` scans
 * the rest of the text if there's no `-->`. `scslre` detects this only if the repetition comes first.
 */
function isRetried(quantifier: AST.Quantifier, flags: AST.Flags, { nfaOf }: Matcher): boolean {
  const place = around(quantifier);
  if (place === undefined || flags.sticky || place.before.every(({ type }) => type === 'Assertion'))
    return false;
  const [first] = place.before;
  if (first?.type === 'Assertion' && first.kind === 'start' && !flags.multiline) return false;
  const takesAll =
    quantifier.element.type === 'CharacterSet' && quantifier.element.kind === 'any' && flags.dotAll;
  const canFail = place.after.some((element) => !isOptional(element) && !(takesAll && isEnd(element)));
  return canFail && !isDisjointWith(nfaOf([quantifier]), nfaOf(place.before, true));
}

function isEnd(element: AST.Element): boolean {
  return element.type === 'Assertion' && element.kind === 'end';
}

function isOptional(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.min === 0 || isOptional(element.element);
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return false;
  return element.alternatives.some(({ elements }) => elements.every(isOptional));
}

/** Returns the elements before and after a part of a pattern. Undefined inside a lookaround. */
function around(part: AST.Quantifier) {
  const before: AST.Element[] = [];
  const after: AST.Element[] = [];
  let node: AST.Node = part;
  for (
    let parent = node.parent as AST.Node | null;
    parent !== null;
    parent = node.parent as AST.Node | null
  ) {
    if (parent.type === 'Assertion') return undefined;
    if (parent.type === 'Alternative') {
      const at = parent.elements.indexOf(node as AST.Element);
      before.unshift(...parent.elements.slice(0, at));
      after.push(...parent.elements.slice(at + 1));
    }
    node = parent;
  }
  return { before, after };
}

type Matcher = ReturnType<typeof matcherOf>;

function matcherOf({ pattern, flags }: AST.RegExpLiteral) {
  const parser = JS.Parser.fromAst({ pattern, flags });
  const options = { assertions: 'ignore', backreferences: 'disable', maxNodes: 20_000 } as const;
  const { maxCharacter } = parser;
  const lineBreak = JS.Parser.fromLiteral({ source: '\\n', flags: flags.unicode ? 'u' : '' }).parse()
    .expression;
  const expressionOf = (element: AST.Element) => {
    if (element.type === 'Assertion' && element.kind === 'start') return lineBreak;
    const isBehind = element.type === 'Assertion' && element.kind === 'lookbehind' && !element.negate;
    if (!isBehind) return parser.parseElement(element, options).expression;
    const alternatives = element.alternatives.map((one) => parser.parseElement(one, options).expression);
    return { alternatives: alternatives.flatMap((one) => one.alternatives) };
  };
  return {
    /** Returns an automaton that matches a sequence of elements. With `anywhere`, other text can surround it. */
    nfaOf(elements: readonly AST.Element[], anywhere = false): NFA {
      const all = () => NFA.all({ maxCharacter });
      const alternations = elements.map((element) => ({
        type: 'Alternation' as const,
        alternatives: [...expressionOf(element).alternatives],
      }));
      const whole = NFA.fromRegex(
        { type: 'Expression', alternatives: [{ type: 'Concatenation', elements: alternations }] },
        { maxCharacter },
      );
      if (!anywhere) return whole;
      const inside = all();
      inside.append(whole);
      inside.append(all());
      return inside;
    },
  };
}
