const LINES = ['Made up by partner', 'This resume stands for one that a candidate would send.'];

const TEXT = `BT /F 18 Tf 72 720 Td 28 TL ${LINES.map((line) => `(${line}) Tj T*`).join(' ')} ET`;

const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
  `<</Length ${TEXT.length}>>\nstream\n${TEXT}\nendstream`,
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
];

/** The resume of applicants who are made up: one page of PDF, always the same (ISO 32000-1, 7.5). */
export function madeUpResume(): Uint8Array {
  let text = '%PDF-1.4\n';
  const offsets = OBJECTS.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  text += `xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
  text += `trailer\n<</Size ${rows.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
