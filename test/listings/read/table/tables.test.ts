import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { JobInputSchema } from '../../../../src/contract/job.ts';
import type { Fault } from '../../../../src/listings/check/finding.ts';
import type { DocumentReading } from '../../../../src/listings/read/listing.ts';
import { readCsv, readTsv } from '../../../../src/listings/read/table/csv.ts';
import { readXlsx } from '../../../../src/listings/read/table/xlsx.ts';
import { writeXlsx } from '../../../../src/listings/write/sheet.ts';
import { itAtLength, times } from '../../../times.ts';

const [CELLS, TABLES] = ['cells.tsv', 'tables.tsv'].map((name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1),
) as [string[], string[]];

/** Returns the listings of a table and all faults. */
async function readAll(readings: AsyncIterable<DocumentReading>) {
  const [values, faults]: [unknown[], Fault[]] = [[], []];
  for await (const reading of readings) {
    if (reading.ok) values.push(reading.document.value);
    faults.push(...(reading.ok ? reading.document.flaws : [reading.fault]));
  }
  return { values, faults };
}

const SEPARATORS = times(4_000_000, 20_000_000);

const csv = (text: string | Buffer) => readAll(readCsv(Buffer.from(text)));

describe('a cell of a table', () => {
  for (const line of CELLS) {
    const [separator = '', header = '', cell = '', expected = ''] = line.split('\t');
    const text = cell.replaceAll('\\n', '\n');
    const rows = [
      [header, '#'],
      [text, ''],
    ].map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`));
    const table = rows.map((row) => row.join(separator)).join('\n');

    it(`${header}: ${cell} ${expected.startsWith('!') ? 'is a finding' : 'is read'}`, async () => {
      const { values, faults } = await csv(table);
      const said = faults.map(({ message, hint }) => `${message}; ${hint}`);
      if (!expected.startsWith('! ')) assert.deepEqual([values, said], [[JSON.parse(expected)], []]);
      else {
        assert.equal(said.length, 1, said.join('\n'));
        assert.ok(said[0]?.startsWith(`the column "${header}" ${expected.slice(2)}`), said[0]);
        assert.deepEqual([faults[0]?.line, faults[0]?.column], [2, 1]);
        const [field] = faults[0]?.path ?? [];
        assert.ok(Object.hasOwn(JobInputSchema.shape, String(field)), `${field} is no field of a listing`);
      }
    });
  }
});

describe('a table as text', () => {
  for (const line of TABLES) {
    const [what = '', text = '', expected] = line.split('\t');
    it(`with ${what} is reported at the position`, async () => {
      const { faults } = await csv(text.replaceAll('\\n', '\n'));
      const said = faults.map((fault) => `${fault.line}:${fault.column} ${fault.message}; ${fault.hint}`);
      assert.deepEqual(said, [expected]);
    });
  }

  it('is the same with any separator, line ending, byte order mark and empty rows', async () => {
    const rows = [
      ['Job title', 'Apply link', 'Pay from'],
      ['"Nurse, ICU; ""nights"""', '', '34'],
    ];
    const expected = { values: [{ title: 'Nurse, ICU; "nights"', salaryMin: 34 }], faults: [] };
    for (const separator of [',', ';', '\t']) {
      for (const end of ['\n', '\r\n', '\r']) {
        const text = rows.map((row) => row.join(separator)).join(`${end}${separator}${end}${end}`);
        for (const begin of ['', '\ufeff'])
          assert.deepEqual(await csv(begin + text + end), expected, JSON.stringify(begin + text));
      }
    }
    const wanted = { values: [{ title: 'A, B; C' }], faults: [] };
    assert.deepEqual(await readAll(readTsv(Buffer.from('Job title\nA, B; C'))), wanted);
  });

  itAtLength("reports another encoding, and is refused if it's too large", async () => {
    const told = async (content: Buffer) => (await csv(content)).faults.map(({ message }) => message);
    assert.match(String(await told(Buffer.from('Job title\nCafé', 'utf16le'))), /UTF-16 \(little-endian\)/);
    assert.match(String(await told(Buffer.from('Job title\nCafé', 'latin1'))), /0xE9\) isn't UTF-8/);
    const tooLarge = [',', 'Job title,', 'Job title\n'].map((text) =>
      Buffer.from(text + ','.repeat(SEPARATORS)),
    );
    const rows = Buffer.from(`Job title\n${'x\n'.repeat(100_010)}`);
    const columns = Buffer.from(Array.from({ length: 3000 }, (_, at) => `#${at}`).join(','));
    for (const content of [...tooLarge, rows])
      assert.match(String(await told(content)), /more than 100,000 rows, or a row with only separators/);
    assert.deepEqual(await told(columns), ['the table has 3000 columns (maximum 250)']);
    const row = Buffer.from(`Job title\n${'a'.repeat(1024 * 1024 + 2)}`);
    assert.deepEqual(await told(row), ['the row has more than 1,048,576 characters']);
  });
});

type Parts = Record<string, Uint8Array>;

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADERS = `<row r="1">${text('A1', 'Job title')}${text('B1', 'Pay from')}${text('C1', 'Job ID')}</row>`;

describe('a workbook', () => {
  let parts: Parts;
  before(async () => {
    parts = unzipSync(await writeXlsx([{ title: 'Nurse' }]));
  });

  /** Creates a workbook with these rows below the headers. */
  const withRows = (rows: string, behind = '', level: 0 | 1 = 0): Uint8Array => {
    const sheet = `<worksheet><sheetData>${HEADERS}${rows}</sheetData>${behind}</worksheet>`;
    return zipSync({ ...parts, 'xl/worksheets/sheet1.xml': [strToU8(sheet), { level }] });
  };

  async function told(bytes: Uint8Array, sheet?: string): Promise<string[]> {
    const { values, faults } = await readAll(readXlsx(bytes, { sheet }));
    const said = faults.map(({ cell, message, hint }) => `${cell ?? ''} ${message}; ${hint}`);
    return [...values.map((value) => JSON.stringify(value)), ...said];
  }

  it('returns numbers, yes and no, dates and formula results as displayed', async () => {
    const styles = strFromU8(parts['xl/styles.xml'] ?? new Uint8Array());
    const dated = styles.replace(/<cellXfs[^>]*>/, '$&<xf numFmtId="14" applyNumberFormat="1"/>');
    const rows = [
      `<row r="3"><c r="A3" t="str"><f>B3</f><v>Nurse</v></c><c r="B3"><v>33.999999999999996</v></c><c r="C3"><v>1042</v></c></row>`,
      `<row r="4">${text('A4', 'Cook &#128640;')}<c r="B4"><f>2*17</f><v>34</v></c><c r="C4" s="0"><v>46082</v></c></row>`,
    ];
    const book = { ...unzipSync(withRows(rows.join(''))), 'xl/styles.xml': strToU8(dated) };
    assert.deepEqual(await told(zipSync(book)), [
      '{"title":"Nurse","salaryMin":34,"opportunityId":"1042"}',
      '{"title":"Cook 🚀","salaryMin":34,"opportunityId":"2026-03-01"}',
    ]);
  });

  it('reports errors and formulas without a result, instead of empty cells', async () => {
    const rows = [
      '<row r="2"><c r="A2" t="e"><v>#REF!</v></c><c r="B2"><f>1+1</f></c><c r="C2"><f>A1</f><v></v></c></row>',
      `<row r="3"><c r="A3" t="str"><f>""</f><v></v></c><c r="B3"><v>34</v></c>${text('C3', 'x')}</row>`,
      `<row r="4">${text('A4', '&amp;lol;')}<c r="B4" s="1"/></row>`,
    ];
    const hint = 'fix the formula and save the file again, or enter the value';
    assert.deepEqual(await told(withRows(rows.join(''))), [
      '{}',
      '{"salaryMin":34,"opportunityId":"x"}',
      '{"title":"&lol;"}',
      `A2 the column "Job title" contains the spreadsheet error #REF!; ${hint}`,
      `B2 the column "Pay from" contains a formula without a result; ${hint}`,
      `C2 the column "Job ID" contains a formula without a result; ${hint}`,
    ]);
  });

  itAtLength("is refused if it has another format, or before unpacking if it's too large", async () => {
    const bomb = Buffer.from(withRows(' '.repeat(25 * 1024 * 1024), '', 1));
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(1000, lying.lastIndexOf('xl/worksheets/sheet1.xml') - 46 + 24);
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`${at}`, strToU8('x')]));
    const far = `<row r="1048576">${text('XFD1048576', 'x')}</row>`;
    const million = Array.from(
      { length: times(100_010, 400_000) },
      (_, at) => `<row r="${at + 2}"><c r="A${at + 2}"><v>1</v></c></row>`,
    );
    const merged = (cells: string) => `<mergeCells><mergeCell ref="${cells}"/></mergeCells>`;
    const TOO_LARGE = /the workbook has more than 22 MiB or 2000 files when unpacked/;
    const cases: readonly (readonly [Uint8Array, RegExp])[] = [
      ...[
        zipSync({ 'word/document.xml': strToU8('<a/>') }),
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from('Job title\nNurse'),
        withRows('').subarray(0, 1500),
      ].map(
        (other) =>
          [
            other,
            /can't read this as an Excel workbook \(\.xlsx\): .*; open it in your spreadsheet/,
          ] as const,
      ),
      [withRows('', merged('A1:C1')), /the table has headers but no listings/],
      [
        withRows(`<row r="2">${text('A2', 'Nurse')}${text('C2', '7')}</row>`, merged('B2:B3')),
        /merged across rows: B2:B3/,
      ],
      [withRows('', merged('B3:B4')), /the sheet has cells merged across rows: B3:B4/],
      [withRows('<row><c r="A9"'), /the workbook is damaged/],
      [withRows("<row r='2'><c r='ZZZZZZZ2'><v>1</v></c></row>"), /the workbook is damaged/],
      [withRows("<row><c r='A9999999'><v>1</v></c></row>"), /too many rows and columns to read/],
      [bomb, TOO_LARGE],
      [lying, /the workbook is damaged/],
      [zipSync({ ...parts, ...many }), TOO_LARGE],
      [withRows(far), /too many rows and columns to read/],
      [withRows(million.join('')), /too many rows and columns to read/],
      [withRows('<c '.repeat(times(100_000, 3_000_000))), /the workbook is damaged/],
    ];
    for (const [bytes, expected] of cases) assert.match(String(await told(bytes)), expected);
    assert.match(String(await told(withRows(''), 'Roles')), /has no sheet "Roles"; it has "Jobs"/);
  });
});
