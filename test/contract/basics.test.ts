import assert from 'node:assert/strict';
import { applicantBasic } from '../../src/contract/basics.ts';
import { cpuMsOf } from '../cpu.ts';
import prompts from './prompts.json' with { type: 'json' };

describe('a prompt', () => {
  for (const [basic, asking] of Object.entries(prompts.asking))
    it(`that as a whole asks for ${basic} is refused (decision 11)`, () => {
      for (const prompt of asking) assert.equal(applicantBasic(prompt), basic, prompt);
    });

  it("that only mentions a basic, or asks for somebody else's, passes", () => {
    for (const prompt of prompts.mentioning) assert.equal(applicantBasic(prompt), undefined, prompt);
  });

  it('is not fooled by padding', () =>
    assert.equal(applicantBasic(`${' '.repeat(5_000)}Email${'\n'.repeat(5_000)}`), 'email'));

  it('is checked at once, also a mebibyte of anything', async () => {
    const cpuMs = await cpuMsOf(() => {
      for (const word of prompts.repeated.long)
        assert.equal(applicantBasic(word.repeat(2 ** 20 / word.length)), undefined);
      for (const word of prompts.repeated.short) {
        const prompt = word.repeat(199 / word.length);
        for (const text of [`${prompt}x`, `${prompt})`, `email ${prompt}`.slice(0, 200)])
          applicantBasic(text);
      }
    });
    assert.ok(cpuMs < 1_000, `${cpuMs} ms of CPU time`);
  });
});
