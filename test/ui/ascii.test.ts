import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { asciiText, isAsciiLocale } from '../../src/ui/ascii.ts';
import { processStreams } from '../../src/ui/streams.ts';
import { widthOf } from '../../src/ui/width.ts';

describe('a locale', () => {
  const rows: readonly (readonly [env: Record<string, string>, isAscii: boolean])[] = [
    [{}, false],
    [{ LANG: '' }, false],
    [{ LANG: 'en_US.UTF-8' }, false],
    [{ LANG: 'en_US.utf8' }, false],
    [{ LANG: 'de_DE' }, false],
    [{ LC_CTYPE: 'UTF-8' }, false],
    [{ LC_ALL: 'C.UTF-8' }, false],
    [{ LC_ALL: 'C' }, true],
    [{ LANG: 'POSIX' }, true],
    [{ LANG: 'en_US.ISO-8859-1' }, true],
    [{ LC_CTYPE: 'de_DE.ISO-8859-15@euro' }, true],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, true],
    [{ LC_ALL: 'C.UTF-8', LC_CTYPE: 'C', LANG: 'C' }, false],
    [{ LC_ALL: '', LC_CTYPE: 'en_US.UTF-8', LANG: 'C' }, false],
  ];
  for (const [env, isAscii] of rows) {
    it(`${JSON.stringify(env)} ${isAscii ? 'shows ASCII alone' : 'shows UTF-8'}`, () => {
      assert.equal(isAsciiLocale(env), isAscii);
    });
  }
});

describe('text in ASCII', () => {
  it('has stand-ins for signs and letters without their accents', () => {
    assert.equal(asciiText('✓ Paused 1 Señor · now PAUSED…'), '+ Paused 1 Senor - now PAUSED~');
    assert.equal(asciiText('┌─┐▶│◇'), '+-+>|*');
    assert.equal(asciiText('Sa\u0303o'), 'Sao');
    assert.equal(asciiText('plain \x1b[31mred\x1b[39m\n'), 'plain \x1b[31mred\x1b[39m\n');
  });

  it('takes as many columns as before, so that a table stays in line', () => {
    for (const text of ['✓ a · b … → é', '看護師', '👩‍⚕️ x', 'कि', '│░█│', '⠋ wait', '€5 – £6']) {
      assert.match(asciiText(text), /^[ -~]*$/);
      assert.equal(asciiText(text).length, widthOf(text), text);
    }
  });
});

describe('a stream in ASCII', () => {
  it('is the stream itself, whoever writes to it', () => {
    const stdout = Object.assign(new PassThrough(), { columns: 72 });
    const process = { env: { LC_ALL: 'C' }, stdin: new PassThrough(), stdout, stderr: new PassThrough() };
    const plain = processStreams(process as unknown as NodeJS.Process, () => true).stdout as typeof stdout;
    plain.write('✓ done');
    plain.write(Buffer.from(' · really'));
    plain.end();
    assert.equal(String(stdout.read()), '+ done - really');
    assert.equal(plain.columns, 72);
  });

  const streamsUnder = (LC_ALL: string, terminals: readonly number[]) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const process = { env: { LC_ALL }, stdin, stdout, stderr } as unknown as NodeJS.Process;
    const streams = processStreams(process, (descriptor) => terminals.includes(descriptor));
    return { streams, written: () => [stdout, stderr].map((stream) => String(stream.read())) };
  };

  it('is made of a terminal alone: a pipe, and a terminal with UTF-8, get what was written', async () => {
    for (const [locale, terminals, wanted] of [
      ['C', [0, 1, 2], ['+', '>']],
      ['C', [0, 2], ['✓', '>']],
      ['C', [0, 1], ['+', '→']],
      ['C.UTF-8', [0, 1, 2], ['✓', '→']],
    ] as const) {
      const { streams, written } = streamsUnder(locale, terminals);
      await streams.writeOut('✓');
      await streams.writeErr('→');
      assert.deepEqual(written(), wanted);
      assert.equal(streams.isAsciiOut, wanted[0] === '+');
    }
  });
});
