import { details, paragraph, section } from '../../../cli/terminal/blocks.ts';
import { cleanBlock } from '../../../cli/terminal/clean.ts';
import { type Fields, fieldsIn, listIn, textIn } from '../../../cli/terminal/read.ts';
import type { View } from '../../../cli/terminal/view.ts';
import { cents, distance, moment, word } from '../../../cli/terminal/words.ts';
import { costOf, nameOf, styleOf } from './application-table.ts';

/** An application, whole: who it is, what was answered, what it cost, and the files that came with it. */
export function applicationCard(application: unknown, view: View): string {
  const fields = fieldsIn(application);
  return [
    heading(fields, view),
    '\n',
    details(facts(fields, view), view),
    section('Qualifications', qualifications(fields, view), view),
    section('Answers', answers(fields, view), view),
    section('Files', files(fields, view), view),
  ].join('');
}

function heading(application: Fields, view: View): string {
  const status = textIn(application.status) ?? '';
  const job = [textIn(application.jobId), textIn(application.jobTitle)].filter(Boolean).join(' ');
  const line = [
    `application ${textIn(application.id)}`,
    view.paint(styleOf(status), status),
    `job ${job}`,
  ].join(' · ');
  return paragraph(view.paint('bold', nameOf(application) ?? 'No name'), view) + paragraph(line, view);
}

function facts(application: Fields, view: View): [string, string | undefined][] {
  const { email, phone, location, receivedAt, decidedAt, isQualified, charge } = application;
  const ago = distance(receivedAt, view.now);
  return [
    ['Email', textIn(email)],
    ['Phone', textIn(phone)],
    ['Location', textIn(location)],
    ['Received', [moment(receivedAt), ago && `(${ago})`].filter(Boolean).join(' ')],
    ['Decided', moment(decidedAt)],
    ['Qualified', isQualified === true ? 'yes' : 'no: a required qualification is not met'],
    ['Cost', costOf(charge) ?? 'nothing: only qualified applicants are paid for'],
    ['Not charged', fieldsIn(charge).outcome === 'skipped' ? cents(fieldsIn(charge).amountCents) : undefined],
  ];
}

function qualifications({ matched }: Fields, view: View): string {
  return details(
    listIn(matched).map(({ qualification, isMet }) => {
      const { text, kind } = fieldsIn(qualification);
      const note = `(${word(kind)}, ${isMet === true ? 'met' : 'not met'})`;
      return [isMet === true ? '✓' : '✗', `${textIn(text)} ${view.paint('dim', note)}`];
    }),
    view,
  );
}

function answers({ answered }: Fields, view: View): string {
  return details(
    listIn(answered).map(({ question, answer }, index) => {
      const { prompt, answerFormat } = fieldsIn(question);
      const given = answerFormat === 'FILE' && answer !== undefined ? 'a file, below' : answerText(answer);
      return [String(index + 1), `${view.paint('dim', textIn(prompt) ?? '')}\n${given}`];
    }),
    view,
  );
}

function answerText(answer: unknown): string {
  if (answer === undefined || answer === null) return 'not answered';
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  if (typeof answer === 'string') return cleanBlock(answer);
  return Array.isArray(answer) ? answer.map(textIn).join(', ') : (textIn(answer) ?? '');
}

function files(application: Fields, view: View): string {
  return details(
    listIn(application.files).map(({ question, name, bytes, savedAs }) => {
      const { prompt } = fieldsIn(question);
      const size = `${Math.ceil(Number(bytes) / 1024)} KiB`;
      const saved = textIn(savedAs);
      return [
        textIn(prompt) ?? 'Resume',
        [`${textIn(name)} · ${size}`, saved && `saved as ${saved}`].filter(Boolean).join('\n'),
      ];
    }),
    view,
  );
}
