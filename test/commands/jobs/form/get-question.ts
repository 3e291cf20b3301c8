import { QUESTIONS, type Question } from '../../../../src/commands/jobs/form/answers.ts';
import type { QuestionName } from '../../../../src/contract/job-fields.ts';

export function getQuestion(name: QuestionName): Question {
  return QUESTIONS.find((question) => question.name === name) as Question;
}
