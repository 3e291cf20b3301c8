import { deepEqual } from 'node:assert/strict';
import { RegExpParser } from '@eslint-community/regexpp';
import { slowRepetitions } from '../scripts/regexes/slow.ts';

it('a regular expression is slow if a search starts again, or two repetitions share text', () => {
  const isSlow = (written: RegExp) =>
    slowRepetitions(new RegExpParser().parseLiteral(`${written}`)).length > 0;
  const slow = [/"[^"\\]*(?:\\.[^"\\]*)*"/gs, /<!--.*?-->/s, /(a+)+$/, /\s+$/, /^(.*)x(.*)$/];
  const linear = [/(?<!\s)\s+$/, /<[^<>]*>/g, /^ +(?=\d)/gm, /,.*/s];
  deepEqual([...slow, ...linear].map(isSlow), [...slow.map(() => true), ...linear.map(() => false)]);
});
